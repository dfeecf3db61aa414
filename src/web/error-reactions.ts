import type { ErrorCode } from '#shared/contract/errors.ts';

/** What the screen does about a failure, besides saying the server's sentence. */
export type Reaction =
  /** Solve a new captcha and ask again, once, without telling. */
  | 'solve-again'
  /** Point at the field: the visitor must change what is in it. */
  | 'mend-id'
  /** Offer another try, after `retry_after` when the server names one. */
  | 'try-later'
  | 'explain';

const reactions = {
  'bad-request': 'explain',
  'body-too-large': 'mend-id',
  'captcha-unavailable': 'try-later',
  'cross-site': 'explain',
  'id-future': 'mend-id',
  'id-malformed': 'mend-id',
  'id-missing': 'mend-id',
  'id-too-large': 'mend-id',
  'id-zero': 'mend-id',
  internal: 'try-later',
  'method-not-allowed': 'explain',
  'not-found': 'explain',
  overloaded: 'try-later',
  'platform-failed': 'try-later',
  'platform-paused': 'try-later',
  'platform-timeout': 'try-later',
  'pool-busy': 'try-later',
  'pool-empty': 'try-later',
  'proof-expired': 'solve-again',
  // A server that restarted while the visitor solved does not know its own challenge any more.
  'proof-invalid': 'solve-again',
  'proof-missing': 'solve-again',
  'proof-used': 'solve-again',
  'unsupported-media-type': 'explain',
  'visitor-limit': 'try-later',
  'donation-proof-missing': 'solve-again',
  'donations-paused': 'try-later',
  'storage-failed': 'try-later',
  'token-in-servers': 'explain',
  'token-known': 'explain',
  'token-malformed': 'explain',
  'token-missing': 'explain',
  'token-rejected': 'explain',
  'token-user': 'explain',
  'withdrawal-malformed': 'explain',
  'withdrawal-missing': 'explain',
} satisfies Record<ErrorCode, Reaction>;

/** A server newer than this page may send a code that the page does not know. */
export const reactionTo = (code: unknown): Reaction =>
  typeof code === 'string' && Object.hasOwn(reactions, code) ? reactions[code as ErrorCode] : 'explain';
