/**
 * Everything that several server processes would have to agree on. One process keeps it in memory;
 * callers already wait for promises so that a network store can stand behind the same types.
 */
export type SharedState = {
  readonly ledger: ProofLedger;
  readonly limits: RateLimits;
};

/** `full` and a rejected promise both mean: refuse the request. A ledger never forgets an unexpired entry. */
export type ConsumeOutcome = 'fresh' | 'used' | 'full';

/** Remembers which challenges were spent. Its key dies with its memory, so a lost ledger cannot be replayed against. */
export type ProofLedger = {
  /** The secret that signs challenges; as long-lived as the ledger's entries, never longer. */
  readonly signingKey: () => Promise<Buffer>;
  /** Atomic: of any number of parallel calls with one id, exactly one gets `fresh`. */
  readonly consume: (challengeId: string, ttlMs: number) => Promise<ConsumeOutcome>;
};

/** A GCRA allowance: `count` events per `periodMs`, of which `burst` may come at once. */
export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

export type LimitDecision =
  | {
      readonly allowed: true;
      /** Share of the burst in use after this event, 0..1. */ readonly pressure: number;
    }
  | { readonly allowed: false; readonly retryAfterMs: number };

export type RateLimits = {
  /** Counts one event against every named allowance, or against none of them when one refuses. */
  readonly take: (events: readonly LimitedEvent[]) => Promise<LimitDecision>;
};

export type LimitedEvent = { readonly limit: string; readonly key: Buffer; readonly allowance: Allowance };
