import type { ErrorCode } from '#shared/contract/errors.ts';

export type ErrorSentences = Readonly<Record<ErrorCode, string>>;

export type SentenceSettings = { readonly platformName: string; readonly tokenDonations: boolean };

/** What a visitor reads. Says what happened and what to do, never what went on inside. */
export const errorSentences = ({ platformName, tokenDonations }: SentenceSettings): ErrorSentences => ({
  'bad-request': 'The request could not be understood.',
  'body-too-large': 'The request is too large.',
  'captcha-unavailable': 'The captcha cannot be checked right now. Please try again in a moment.',
  'cross-site': 'Requests from other sites are not accepted.',
  'donation-proof-missing': 'Complete the Altcha challenge to donate your token.',
  'donations-paused': 'Tokens cannot be checked right now. Please try again later.',
  'id-future': `This ${platformName} ID lies in the future, so nobody can have it yet.`,
  'id-malformed': `A ${platformName} ID consists of digits only. Paste the ID, a mention or a link to the profile.`,
  'id-missing': `Enter a ${platformName} snowflake to lookup.`,
  'id-too-large': `This number is too large to be a ${platformName} ID.`,
  'id-zero': `Zero is not a ${platformName} ID.`,
  internal: 'Unexpected server error.',
  'method-not-allowed': 'This address does not answer that kind of request.',
  'not-found': 'There is nothing at this address.',
  overloaded: 'Too many people are looking things up right now. Please try again in a moment.',
  'platform-failed': `${platformName} did not give a usable answer. Please try again.`,
  'platform-paused': `Lookups are paused because ${platformName} turns our requests away. Please try again later.`,
  'platform-timeout': `${platformName} took too long to answer. Please try again.`,
  'pool-busy': 'All lookup tokens are busy. Please try again in a moment.',
  'pool-empty': tokenDonations
    ? 'No working lookup token is left. Donate a bot token to bring lookups back.'
    : 'No working lookup token is left. Please try again later.',
  'proof-expired': 'The captcha has expired. Please complete it again.',
  'proof-invalid': 'The captcha could not be verified. Please complete it again.',
  'proof-missing': 'Complete the Altcha challenge to continue.',
  'proof-used': 'This captcha was already used. Please complete it again.',
  'storage-failed': 'This could not be saved right now. Please try again later.',
  'token-in-servers': `This bot is in servers. Please donate a bot that is in none: create a new application for it.`,
  'token-known': 'This token is in the pool already. Thank you!',
  'token-malformed': `This does not look like a ${platformName} bot token.`,
  'token-missing': `Enter a ${platformName} bot token before submitting.`,
  'token-rejected': `${platformName} does not accept this token. Reset it in the developer portal and copy it again.`,
  'token-user': `This is not the token of a bot. Never give the token of your own account to anybody.`,
  'unsupported-media-type': 'Send the request as application/json.',
  'visitor-limit': 'You have made too many requests. Please wait a moment.',
  'withdrawal-malformed': 'This is neither a receipt nor a bot token. Please check it for typing errors.',
  'withdrawal-missing': 'Enter your receipt or the token that you want back.',
});
