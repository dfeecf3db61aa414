import type { Standing, Standings } from '#server/rules/standing.ts';
import type { TokenRecord, TokenState } from '#server/rules/token-rules.ts';

export type MaybePromise<T> = T | Promise<T>;

export type TokenCounts = Readonly<Record<TokenState['state'], number>>;

export type TokenRow = {
  readonly id: string;
  /** Grows with every write. */
  readonly version: number;
  /** Null if nothing is known of it yet. */
  readonly record: TokenRecord | null;
  /** From when on it is free, or a suspect can be checked; Infinity if only one of its answers can free it. */
  readonly freeAtMs: number;
  readonly isSuspect: boolean;
};

/** What to read: the tokens that have been free for the longest time, those to check next, one by its id, or none. */
export type Look = 'free' | 'suspects' | 'none' | { readonly id: string };

/** What a decision is based on. */
export type View = {
  readonly nowMs: number;
  readonly standings: Standings;
  readonly standingVersion: number;
  readonly tokens: readonly TokenRow[];
};

export type TokenWrite = {
  readonly row: TokenRow;
  readonly record: TokenRecord | null;
  readonly freeAtMs: number;
  readonly place: 'in-use' | 'suspect' | 'gone';
};

export const rowAfter = ({ row, record, freeAtMs, place }: TokenWrite): TokenRow => ({
  id: row.id,
  version: row.version + 1,
  record,
  freeAtMs,
  isSuspect: place === 'suspect',
});

/** What a decision comes to: all of it is written, or nothing. */
export type Change = {
  readonly view: View;
  readonly token?: TokenWrite | undefined;
  readonly standing?: Standing | undefined;
  /** Takes the next slot of the pace, unless the standing has changed. */
  readonly isSend?: boolean | undefined;
  /** All other tokens become suspects. */
  readonly suspectAll?: boolean | undefined;
};

/** How long until there may be something to take; sooner, perhaps, if an answer in flight frees it. */
export type Wait = { readonly waitMs: number; readonly mayBeSooner: boolean };

/**
 * Tokens, the pace and our standing with the platform: of this process (`memory-token-store.ts`), or of all servers
 * (`postgres-token-store.ts`). Whoever changes something reads, decides by the rules, and writes if nothing has changed
 * meanwhile. The store knows no rule but the pace. Times are by the store's clock.
 */
export type TokenStore = {
  readonly nowMs: () => number;
  /** The longest that a slot may lie ahead. */
  readonly lookAheadMs: number;
  /** Puts a token in, ahead of all others. One that is there stays as it is. */
  readonly add: (id: string) => void;
  /** Once it resolves, nobody can take the token any more. */
  readonly remove: (id: string) => Promise<void>;
  readonly read: (look: Look) => MaybePromise<View>;
  /**
   * Resolves with when the request may leave, if it is about one. Null if something has changed since the view, or the
   * pace has no slot: nothing was written.
   */
  readonly apply: (change: Change) => MaybePromise<number | null>;
  // From here on as far as is known without asking anybody.
  readonly standings: () => Standings;
  readonly slotWaitMs: () => number;
  readonly tokenWait: () => Wait;
  /** How many there are, suspects included, how many of them are suspects, and when to check the first of these. */
  readonly size: () => { readonly tokens: number; readonly suspects: number; readonly checkMs: number };
  readonly counts: () => TokenCounts;
  readonly states: () => MaybePromise<ReadonlyMap<string, TokenState>>;
};

/** The store calls it whenever there may be something to take. */
export type OpenTokenStore = (onChange: () => void) => TokenStore;
