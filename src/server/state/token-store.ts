import type { Standing, Standings } from '#server/rules/standing.ts';
import type { TokenRecord, TokenState } from '#server/rules/token-rules.ts';

export type MaybePromise<T> = T | Promise<T>;

export type TokenCounts = Readonly<Record<TokenState['state'], number>>;

export type TokenRow = {
  readonly id: string;
  readonly version: number;
  readonly record: TokenRecord | null;
  /** From when on it is free, or a suspect can be checked; Infinity if only one of its answers can free it. */
  readonly freeAtMs: number;
  readonly isSuspect: boolean;
};

export type Look = 'free' | 'suspects' | 'none' | { readonly id: string };

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

/** All of it is written, or nothing. */
export type Change = {
  readonly view: View;
  readonly token?: TokenWrite | undefined;
  readonly standing?: Standing | undefined;
  readonly isSend?: boolean | undefined;
  /** All other tokens become suspects, but for those that wait for an answer. */
  readonly suspectAll?: boolean | undefined;
};

export type Wait = { readonly waitMs: number; readonly mayBeSooner: boolean };

/** Knows no rule but the pace. Times are by the store's clock. */
export type TokenStore = {
  readonly nowMs: () => number;
  readonly lookAheadMs: number;
  readonly add: (id: string) => void;
  /** Once it resolves, nobody can take the token any more. */
  readonly remove: (id: string) => Promise<void>;
  readonly read: (look: Look) => MaybePromise<View>;
  /** Resolves with when a send may leave. Null if something has changed since the view, or there is no slot. */
  readonly apply: (change: Change) => MaybePromise<number | null>;
  // From here on as far as is known without asking anybody.
  readonly standings: () => Standings;
  readonly slotWaitMs: () => number;
  readonly tokenWait: () => Wait;
  readonly size: () => { readonly tokens: number; readonly suspects: number; readonly checkMs: number };
  readonly counts: () => TokenCounts;
  readonly states: () => MaybePromise<ReadonlyMap<string, TokenState>>;
};

/** Tokens are put where all servers see them only while this one `isCurrent`: it knows which ones were taken out. */
export type OpenTokenStore = (onChange: () => void, isCurrent?: () => boolean) => TokenStore;
