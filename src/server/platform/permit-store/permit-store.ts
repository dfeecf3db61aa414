import type { Settlement } from '../egress-rules.ts';
import type { Question } from '../questions.ts';

/** One request that may leave. */
export type Grant = {
  readonly question: Question;
  /** Unique over all nodes. */
  readonly flight: string;
  /** It finds out whether a ban is over; until it settles, no other request of its kind leaves. */
  readonly isProbe: boolean;
  /** Not used after this time of our monotonic clock. */
  readonly expiresAtMs: number;
};

/** Our standing with the platform. `untilMs` is Infinity while an answer in flight decides. */
export type StandingPause = { readonly cause: 'banned' | 'invalid-requests'; readonly untilMs: number };

/**
 * What holds for all requests to the platform together: pace, bans, and how many invalid answers there were. In this
 * process (`memory-permit-store.ts`), or in Redis for all nodes (`redis-permit-store.ts`). Times are on our monotonic
 * clock.
 */
export type PermitStore = {
  /** One atomic step: the request is within all limits and counts from now on, or null and nothing is changed. */
  readonly take: (question: Question) => Promise<Grant | null>;
  readonly settle: (grant: Grant, settlement: Settlement) => void;
  /** When `take` may succeed, as far as is known here. Infinity: once an answer in flight has arrived. */
  readonly freeAtMs: (question: Question, nowMs: number) => number;
  /** What keeps a question from being asked, a lookup's unless said, if it is more than the pace. */
  readonly pause: (nowMs: number, question?: Question) => StandingPause | null;
  /** Invalid answers of the last ten minutes. */
  readonly invalidRequests: () => number;
};
