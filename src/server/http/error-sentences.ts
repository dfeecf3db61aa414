import type { ErrorCode } from '#shared/contract/errors.ts';
import {
  DONATION_PROOF_MISSING,
  idProblem,
  PROOF_MISSING,
  tokenProblem,
  UNEXPECTED_ERROR,
  WITHDRAWAL_MISSING,
} from '#shared/sentences.ts';

export type ErrorSentences = Readonly<Record<ErrorCode, string>>;

export type SentenceSettings = { readonly platformName: string; readonly tokenDonations: boolean };

/** What a visitor reads: what happened and what to do, never what went on inside. */
export const errorSentences = ({ platformName, tokenDonations }: SentenceSettings): ErrorSentences => ({
  'bad-request': 'We couldn’t understand that request.',
  'body-too-large': 'The request is too large.',
  'captcha-unavailable': 'We can’t check captchas right now. Please try again in a moment.',
  'cross-site': 'We don’t accept requests from other websites.',
  'donation-proof-missing': DONATION_PROOF_MISSING,
  'donations-paused': 'We can’t check tokens right now. Please try again later.',
  'id-future': idProblem('future', platformName),
  'id-malformed': idProblem('malformed', platformName),
  'id-missing': idProblem('missing', platformName),
  'id-too-large': idProblem('too-large', platformName),
  'id-zero': idProblem('zero', platformName),
  internal: UNEXPECTED_ERROR,
  'method-not-allowed': 'This address doesn’t support that kind of request.',
  'not-found': 'There is nothing at this address.',
  overloaded: 'Too many people are looking things up right now. Please try again in a moment.',
  'picture-expired': 'This picture’s address has expired. Look the profile up again.',
  'picture-failed': `${platformName} didn’t send us this picture. Please try again.`,
  'picture-refused': 'This picture’s address isn’t one of ours. Look the profile up again.',
  'picture-timeout': `${platformName} took too long to send us this picture. Please try again.`,
  'pictures-busy': 'Too many pictures are being loaded right now. Please try again in a moment.',
  'platform-failed': `${platformName} isn’t answering properly. Please try again.`,
  'platform-paused': `${platformName} is rejecting our requests, so lookups are paused.`,
  'platform-timeout': `${platformName} took too long to answer. Please try again.`,
  'pool-busy': 'All our lookup tokens are busy. Please try again in a moment.',
  'pool-empty': tokenDonations
    ? 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.'
    : 'Lookups are down: we’ve run out of bot tokens. Please try again later.',
  'proof-expired': 'The captcha has expired. Please complete it again.',
  'proof-invalid': 'The captcha could not be verified. Please complete it again.',
  'proof-missing': PROOF_MISSING,
  'proof-used': 'This captcha has already been used. Please complete it again.',
  'storage-failed': 'We couldn’t save this right now. Please try again later.',
  'store-unavailable': 'We can’t do this right now. Please try again in a moment.',
  'token-in-servers':
    'This bot is in one or more servers. Create a new application and donate that bot instead.',
  'token-known': 'You’ve already donated this token. Nothing more to do.',
  'token-malformed': tokenProblem('not-a-token', platformName),
  'token-missing': tokenProblem('empty', platformName),
  'token-rejected': `${platformName} rejected this token. Reset it in the developer portal and copy the new one.`,
  'token-user': tokenProblem('user-token', platformName),
  'unsupported-media-type': 'Send the request as application/json.',
  'visitor-limit': 'You have made too many requests.',
  'withdrawal-malformed': 'This is neither a receipt nor a bot token. Check for typos.',
  'withdrawal-missing': WITHDRAWAL_MISSING,
});
