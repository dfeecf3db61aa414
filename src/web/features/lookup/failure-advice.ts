import type { FailureCause } from './look-up.ts';

const PROOF = 'Two captchas in a row were refused. Try again, or reload the page first.';
const NOT_THE_ID = 'Nothing is wrong with your ID: it stays in the field.';
const PAGE = 'This page may be out of date. Reload it and try again.';
/** The field is marked and has the focus. */
const MEND = undefined;

/** What the visitor can do, after the sentence that says what happened. */
const advice = {
  'bad-request': PAGE,
  'body-too-large': MEND,
  'captcha-unavailable': NOT_THE_ID,
  'cross-site': PAGE,
  'id-future': MEND,
  'id-malformed': 'Paste the ID, a mention or a link to the profile.',
  'id-missing': MEND,
  'id-too-large': MEND,
  'id-zero': MEND,
  internal: NOT_THE_ID,
  'method-not-allowed': PAGE,
  'not-found': PAGE,
  overloaded: NOT_THE_ID,
  'platform-failed': `${NOT_THE_ID} Such trouble is usually over within minutes.`,
  'platform-paused': 'Lookups start again by themselves. Your ID stays in the field.',
  'platform-timeout': `${NOT_THE_ID} Such trouble is usually over within minutes.`,
  'pool-busy': 'A place will be free soon. Your ID stays in the field.',
  'pool-empty': 'What the ID itself tells is shown above, and needs no token.',
  'proof-expired': PROOF,
  'proof-invalid': PROOF,
  'proof-missing': PROOF,
  'proof-used': PROOF,
  'unsupported-media-type': PAGE,
  'visitor-limit': 'Lookups are limited so that there are enough for everyone. Your ID stays in the field.',
  unknown: 'Try again. If it happens once more, reload the page.',
  unreachable: 'The server could not be reached. Check your connection and try again.',
  offline: 'You seem to be offline. Try again when you are connected: your ID stays in the field.',
} satisfies Partial<Record<FailureCause, string | undefined>>;

/** A server newer than this page may send a code that the page does not know. */
export const adviceFor = (cause: FailureCause): string | undefined =>
  Object.hasOwn(advice, cause) ? advice[cause as keyof typeof advice] : advice.unknown;
