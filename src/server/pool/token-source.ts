import type { BotToken } from '#server/platform/bot-token.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { PassFor } from '#server/platform/platform.ts';
import type { SuspectVerdict } from './suspicion.ts';

export type TokenCounts = {
  readonly healthy: number;
  readonly cooling: number;
  readonly suspect: number;
};

/**
 * Where the pool's tokens are: in this process, or in a store that several share. It alone decides which of them may
 * make the next request, and gives the pass for it in the same step. Times are on the clock of this process.
 */
export type TokenSource<T extends { readonly token: BotToken }> = {
  readonly add: (token: BotToken) => void;
  /** Resolves once nobody takes the token any more. */
  readonly remove: (botId: string, token?: BotToken) => Promise<void>;
  readonly take: () => Promise<PassFor<'getUser', T> | null>;
  /** What came of it; null if nothing was asked after all. */
  readonly settle: (taken: T, answer: PlatformAnswer<unknown> | null, sentMs: number) => void;
  readonly takeSuspect: () => Promise<PassFor<'getOwnUser', T> | null>;
  /** Resolves with true if the token is gone for good. */
  readonly settleSuspect: (taken: T, verdict: SuspectVerdict) => Promise<boolean>;
  /** When `take` may have something to give. Infinity means: once an answer that is under way is in. */
  readonly freeAtMs: (nowMs: number) => number;
  /** When `takeSuspect` may; Infinity while one is being asked, and if there is none. */
  readonly suspectAtMs: (nowMs: number) => number;
  readonly size: () => number;
  readonly isAllSuspect: () => boolean;
  readonly counts: (nowMs: number) => TokenCounts;
  readonly uses: () => ReadonlyMap<string, number>;
};

/** What a source tells its pool. */
export type TokenSourceEvents = {
  /** A token is out of use until the platform was asked about it. */
  readonly onSuspected: (because: 'unauthorized' | 'foreign') => void;
  /** There may be something to take. */
  readonly onChange: () => void;
};

/** The pool says how it wants to be told. */
export type OpenTokenSource<T extends { readonly token: BotToken }> = (
  events: TokenSourceEvents,
) => TokenSource<T>;
