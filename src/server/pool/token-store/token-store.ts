import type { Suspicion, SuspectVerdict } from '../rules/suspicion.ts';
import type { TokenRecord, TokenState } from '../rules/token-record.ts';

export type TokenCounts = Readonly<Record<TokenState['state'], number>>;

/** A token that nobody else can take until it is put or given back. */
export type TakenToken = {
  readonly id: string;
  /** Null if nothing is known of it yet. */
  readonly record: TokenRecord | null;
  /** By the store's clock. */
  readonly takenMs: number;
  /** Tells this taking from every other. */
  readonly lock: string;
  /** A store that has lost its memory since knows another, and takes back nothing of this one. */
  readonly epoch: string;
};

export type TokenPut = Pick<TakenToken, 'id' | 'epoch'> & {
  readonly old: TokenRecord | null;
  readonly next: TokenRecord;
  /** From when it may be taken; Infinity: once one of its answers has arrived. */
  readonly freeAtMs: number;
  /** `send`: a request of the token just taken. `answer`: the outcome of one. `suspect`: an answer that makes it a suspect. */
  readonly because: 'send' | 'answer' | 'suspect';
};

export type PutOutcome =
  | { readonly kind: 'put'; readonly isNewSuspect: boolean }
  /** Somebody else has written meanwhile: decide again on theirs. */
  | { readonly kind: 'changed'; readonly record: TokenRecord | null }
  /** No longer there, or a suspect that may not send. */
  | { readonly kind: 'gone' };

export type SuspicionChange = {
  readonly old: Suspicion;
  readonly next: Suspicion;
  /** Instead of `next`, if no suspect is left. */
  readonly nextIfNone: Suspicion;
  /** What it does to tokens: nothing, all usable ones become suspects, or one suspect has been checked. */
  readonly effect:
    | { readonly kind: 'none' | 'suspect-all' }
    | {
        readonly kind: SuspectVerdict;
        readonly id: string;
        readonly freeAtMs: number;
        readonly coolUntilMs: number;
      };
};

/**
 * Where the pool's tokens are: in this process (`memory-token-store.ts`), or in Redis for all nodes
 * (`redis-token-store.ts`). It keeps them apart and in order, each method in one atomic step, and knows no rule: what a
 * record means is decided in `token-rules.ts` and `suspicion.ts`. Times are by the store's clock, except those of the
 * `…AtMs` methods, which are on our monotonic clock.
 */
export type TokenStore = {
  readonly nowMs: () => number;
  /** Puts a token in, ahead of all others. One that is there stays as it is. */
  readonly add: (id: string) => void;
  /** Once it resolves, nobody can take the token any more. */
  readonly remove: (id: string) => Promise<void>;
  /** The token that has been free for the longest time; null if none is free. */
  readonly take: () => Promise<TakenToken | null>;
  /** A token that was taken and is not used. It is free from `freeAtMs` on. */
  readonly giveBack: (taken: TakenToken, freeAtMs: number) => Promise<void>;
  readonly put: (put: TokenPut) => Promise<PutOutcome>;
  /** A suspect to check: one at a time, and not before the suspicion says so. Null if there is none. */
  readonly takeSuspect: () => Promise<TakenToken | null>;
  readonly giveBackSuspect: (taken: TakenToken) => Promise<void>;
  /** What somebody else has written meanwhile, else whether the suspect was still there. */
  readonly changeSuspicion: (
    change: SuspicionChange,
  ) => Promise<{ readonly changed: Suspicion } | { readonly wasSuspect: boolean }>;
  /** When `take` may succeed, as far as is known here. Infinity: once an answer in flight has arrived. */
  readonly freeAtMs: () => number;
  /** When `takeSuspect` may; Infinity while one is being checked, and if there is none. */
  readonly suspectAtMs: () => number;
  readonly counts: () => TokenCounts;
  /** Of each, by id; times by the store's clock. */
  readonly states: () => Promise<ReadonlyMap<string, TokenState>>;
  /** How many there are, suspects included, and how many of them are suspects. */
  readonly size: () => { readonly tokens: number; readonly suspects: number };
};

/** The store calls it whenever there may be something to take. */
export type OpenTokenStore = (onChange: () => void) => TokenStore;
