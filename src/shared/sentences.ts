import type { ErrorCode } from './contract/errors.ts';

/**
 * What visitors are told about each failure, in English: what happened and what to do, never internals. The API's answers
 * contain these sentences; the pages have them in every language.
 */
export const ERROR_SENTENCES = {
  'bad-request': 'We couldn’t understand that request.',
  'body-too-large': 'The request is too large.',
  'captcha-unavailable': 'We can’t check captchas right now. Please try again in a moment.',
  'cross-site': 'We don’t accept requests from other websites.',
  'donation-proof-missing': 'Complete the Altcha challenge to donate your token.',
  'donations-paused': 'We can’t check tokens right now. Please try again later.',
  'id-future': 'This ID is dated in the future, so it can’t belong to anyone yet.',
  'id-malformed': 'A {platformName} ID is all digits. Paste the ID, a mention or a profile link.',
  'id-missing': 'Enter a {platformName} snowflake to lookup.',
  'id-too-large': 'This number is too large to be a {platformName} ID.',
  'id-zero': 'Zero isn’t a valid {platformName} ID.',
  internal: 'Unexpected server error.',
  'method-not-allowed': 'This address doesn’t support that kind of request.',
  'not-found': 'There is nothing at this address.',
  overloaded: 'Too many people are looking things up right now. Please try again in a moment.',
  'picture-expired': 'This picture’s address has expired. Look the profile up again.',
  'picture-failed': '{platformName} didn’t send us this picture. Please try again.',
  'picture-refused': 'This picture’s address isn’t one of ours. Look the profile up again.',
  'picture-timeout': '{platformName} took too long to send us this picture. Please try again.',
  'pictures-busy': 'Too many pictures are being loaded right now. Please try again in a moment.',
  'platform-failed': '{platformName} isn’t answering properly. Please try again.',
  'platform-paused': '{platformName} is rejecting our requests, so lookups are paused.',
  'platform-timeout': '{platformName} took too long to answer. Please try again.',
  'pool-busy': 'All our lookup tokens are busy. Please try again in a moment.',
  'pool-empty': 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.',
  'proof-expired': 'The captcha has expired. Please complete it again.',
  'proof-invalid': 'The captcha could not be verified. Please complete it again.',
  'proof-missing': 'Complete the Altcha challenge to continue.',
  'proof-used': 'This captcha has already been used. Please complete it again.',
  'storage-failed': 'We couldn’t save this right now. Please try again later.',
  'store-unavailable': 'We can’t do this right now. Please try again in a moment.',
  'token-in-servers':
    'This bot is in one or more servers. Create a new application and donate that bot instead.',
  'token-known': 'You’ve already donated this token. Nothing more to do.',
  'token-malformed': 'This doesn’t look like a {platformName} bot token.',
  'token-missing': 'Enter a {platformName} bot token before submitting.',
  'token-rejected':
    '{platformName} rejected this token. Reset it in the developer portal and copy the new one.',
  'token-user': 'This isn’t a bot token. Never share your own account’s token with anyone.',
  'unsupported-media-type': 'Send the request as application/json.',
  'visitor-limit': 'You have made too many requests.',
  'withdrawal-malformed': 'This is neither a receipt nor a bot token. Check for typos.',
  'withdrawal-missing': 'Enter your receipt or the token to withdraw.',
} as const satisfies Readonly<Record<ErrorCode, string>>;

/** Instead of `pool-empty` if the site accepts no tokens. */
export const POOL_EMPTY_FOR_GOOD = 'Lookups are down: we’ve run out of bot tokens. Please try again later.';

export const TOKEN_SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
export const TOKEN_WITHDRAWN = 'Done. If we had this token, it has been deleted.';
