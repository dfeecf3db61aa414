import type { MaybePromise } from '#server/system.ts';
import type { Suspicion } from './suspicion.ts';
import type { TokenRecord, TokenState } from './token-rules.ts';

export type TokenCounts = Readonly<Record<TokenState['state'], number>>;

export type TokenRow = {
  readonly id: string;
  readonly record: TokenRecord | null;
  /** From when on it is free, or a suspect can be checked; Infinity if only one of its answers can free it. */
  readonly freeAtMs: number;
  readonly isSuspect: boolean;
};

export type Look = 'free' | 'suspects' | { readonly id: string };

/** What becomes of a token. */
export type TokenChange = {
  readonly record: TokenRecord | null;
  readonly freeAtMs: number;
  readonly place: 'in-use' | 'suspect' | 'gone';
};

export type Wait = { readonly waitMs: number; readonly mayBeSooner: boolean };

/** What is known of the tokens, by all who use them. It knows no rule. Times are by its own clock. */
export type TokenStore = {
  readonly nowMs: () => number;
  readonly onChange: (listener: () => void) => void;
  readonly add: (id: string) => void;
  /** Once it resolves, nobody uses the token any more. */
  readonly remove: (id: string) => Promise<void>;
  /** Those that come first, of this process. */
  readonly read: (look: Look) => MaybePromise<readonly TokenRow[]>;
  /** False if the token is another by now, or gone. */
  readonly write: (row: TokenRow, change: TokenChange) => MaybePromise<boolean>;
  /** The same for the suspicion against all tokens. */
  readonly writeSuspicion: (known: Suspicion, next: Suspicion) => MaybePromise<boolean>;
  /** All become suspects, but for those that wait for an answer. */
  readonly suspectAll: () => MaybePromise<void>;
  // From here on as far as is known without asking anybody.
  readonly suspicion: () => Suspicion;
  readonly tokenWait: () => Wait;
  readonly size: () => { readonly tokens: number; readonly suspects: number; readonly checkMs: number };
  readonly counts: () => TokenCounts;
  readonly states: () => MaybePromise<ReadonlyMap<string, TokenState>>;
};
