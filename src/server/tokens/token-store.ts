import type { Journal } from '#server/platform/platform-store.ts';
import { isLike } from '#server/storage/stored-record.ts';
import { steadyClock, type Clock, type MaybePromise } from '#server/system.ts';
import { isRecord } from '#shared/json.ts';
import { NO_SUSPICION, type Suspicion } from './suspicion.ts';
import { draftOf, stateOf, type TokenRecord, type TokenState } from './token-rules.ts';

export type TokenCounts = Readonly<Record<TokenState['state'], number>>;

/** Replaced, never changed. */
export type TokenRow = {
  readonly id: string;
  readonly record: TokenRecord | null;
  /** From when on it is free, or a suspect can be checked; Infinity if only one of its answers can free it. */
  readonly freeAtMs: number;
  readonly isSuspect: boolean;
};

/** Of suspects that can be checked those with these IDs come first. */
export type Look = 'free' | { readonly suspectsAfter: readonly string[] } | { readonly id: string };

export type Wait = { readonly waitMs: number; readonly mayBeSooner: boolean };

/** What is known of the tokens, by all who use them. It knows no rule. Times are by its own clock. */
export type TokenStore = {
  readonly nowMs: () => number;
  /** For one listener. */
  readonly onChange: (listener: () => void) => void;
  readonly add: (id: string) => void;
  /** Once it resolves, nobody uses the token any more. */
  readonly remove: (id: string) => Promise<void>;
  /** Those that come first, of this process. */
  readonly read: (look: Look) => MaybePromise<readonly TokenRow[]>;
  /** False if the token is another by now, or gone. Null: it is to be gone. */
  readonly write: (row: TokenRow, next: TokenRow | null) => MaybePromise<boolean>;
  /** The same for the suspicion against all tokens. */
  readonly writeSuspicion: (known: Suspicion, next: Suspicion) => MaybePromise<boolean>;
  /** All of these become suspects, or all but these; not those that wait for an answer. */
  readonly suspectAll: (ids: readonly string[], areThese: boolean) => MaybePromise<void>;
  // From here on as far as is known without asking anybody.
  readonly suspicion: () => Suspicion;
  readonly tokenWait: () => Wait;
  readonly size: () => { readonly tokens: number; readonly suspects: number; readonly checkMs: number };
  readonly counts: () => TokenCounts;
  readonly states: () => MaybePromise<ReadonlyMap<string, TokenState>>;
};

/** Since when each token is on hold. */
export type Holds = Readonly<Record<string, number>>;

export const areHolds = (record: unknown): boolean =>
  isRecord(record) && !Object.values(record).includes(null) && isLike(record, {});

const NO_JOURNAL: Journal<Holds> = { before: {}, keep: async () => {} };

export const createMemoryTokenStore = (clock: Clock, journal = NO_JOURNAL): TokenStore => {
  const nowMs = steadyClock(clock);
  const inUse = new Map<string, TokenRow>();
  const suspects = new Map<string, TokenRow>();
  const heldBefore = new Map(Object.entries(journal.before));
  let changed = (): void => {};
  let suspicion: Suspicion = NO_SUSPICION;

  /** The one that is free first; there are never so many tokens that a scan costs anything. */
  const first = (rows: ReadonlyMap<string, TokenRow>): TokenRow | undefined => {
    let found: TokenRow | undefined;
    for (const row of rows.values()) if (found === undefined || row.freeAtMs < found.freeAtMs) found = row;
    return found;
  };
  const rowOf = (id: string): TokenRow | undefined => inUse.get(id) ?? suspects.get(id);
  const drop = (id: string): void => void (inUse.delete(id) || suspects.delete(id));
  /** At the end, so that of those that are free equally long all have their turn. */
  const put = (row: TokenRow): void => {
    drop(row.id);
    (row.isSuspect ? suspects : inUse).set(row.id, row);
  };
  const suspectsInOrder = (ids: readonly string[]): TokenRow[] => {
    const rank = ({ id, freeAtMs }: TokenRow) => (freeAtMs > nowMs() ? 2 : Number(!ids.includes(id)));
    return [...suspects.values()].toSorted((a, b) => rank(a) - rank(b) || a.freeAtMs - b.freeAtMs);
  };
  const holds = (): Holds => {
    const held = Object.fromEntries(heldBefore);
    for (const { id, record } of suspects.values()) if (record?.heldMs) held[id] = record.heldMs;
    return held;
  };

  return {
    nowMs,
    onChange: (listener) => void (changed = listener),
    add: (id) => {
      if (rowOf(id) !== undefined) return;
      const heldMs = heldBefore.get(id);
      const isSuspect = heldBefore.delete(id);
      const record = heldMs === undefined ? null : { ...draftOf(null, 0), heldMs };
      put({ id, record, freeAtMs: 0, isSuspect });
      changed();
    },
    remove: async (id) => {
      const wasHeld = heldBefore.delete(id) || Boolean(suspects.get(id)?.record?.heldMs);
      drop(id);
      // Given back one day, it begins without.
      if (wasHeld) await journal.keep(holds());
    },
    read: (look) => {
      if (typeof look === 'object' && 'suspectsAfter' in look) return suspectsInOrder(look.suspectsAfter);
      const row = look === 'free' ? first(inUse) : rowOf(look.id);
      return row === undefined ? [] : [row];
    },
    write: (row, next) => {
      if (rowOf(row.id) !== row) return false;
      if (next === null) drop(row.id);
      else put(next);
      const isSameHold = (row.record?.heldMs ?? null) === (next?.record?.heldMs ?? null);
      return isSameHold ? true : journal.keep(holds()).then(() => true);
    },
    writeSuspicion: (known, next) => {
      if (known !== suspicion) return false;
      suspicion = next;
      return true;
    },
    suspectAll: (ids, areThese) => {
      for (const row of inUse.values().toArray())
        if (ids.includes(row.id) === areThese && row.freeAtMs < Infinity)
          put({ ...row, freeAtMs: 0, isSuspect: true });
    },
    suspicion: () => suspicion,
    tokenWait: () => ({
      waitMs: (first(inUse)?.freeAtMs ?? Infinity) - nowMs(),
      mayBeSooner: inUse.values().some(({ freeAtMs }) => freeAtMs === Infinity),
    }),
    size: () => ({
      tokens: inUse.size + suspects.size,
      suspects: suspects.size,
      checkMs: first(suspects)?.freeAtMs ?? Infinity,
    }),
    counts: () => {
      const counts = { healthy: 0, cooling: 0, suspect: suspects.size };
      const atMs = nowMs();
      for (const { record } of inUse.values()) counts[stateOf(record, false, atMs).state] += 1;
      return counts;
    },
    states: () => {
      const atMs = nowMs();
      const all = [...inUse.values(), ...suspects.values()];
      return new Map(all.map(({ id, record, isSuspect }) => [id, stateOf(record, isSuspect, atMs)]));
    },
  };
};
