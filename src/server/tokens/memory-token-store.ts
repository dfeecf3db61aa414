import { isStorageFault } from '#server/storage/storage-fault.ts';
import { steadyClock, type Clock } from '#server/system.ts';
import { NO_SUSPICION, type Suspicion } from './suspicion.ts';
import { draftOf, stateOf } from './token-rules.ts';
import type { TokenRow, TokenStore } from './token-store.ts';

/** Since when each token is on hold. */
export type Holds = Readonly<Record<string, number>>;

export type HoldJournal = {
  readonly before: Holds;
  readonly keep: (holds: Holds) => Promise<void>;
};

type MemoryTokenStoreDeps = {
  readonly clock: Clock;
  readonly journal?: HoldJournal | undefined;
  /** What is known here still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed?: (() => void) | undefined;
};

const NO_JOURNAL: HoldJournal = { before: {}, keep: async () => {} };

export const createMemoryTokenStore = (deps: MemoryTokenStoreDeps): TokenStore => {
  const { clock, journal = NO_JOURNAL, onJournalFailed = () => {} } = deps;
  const nowMs = steadyClock(clock);
  const inUse = new Map<string, TokenRow>();
  const suspects = new Map<string, TokenRow>();
  const heldBefore = new Map(Object.entries(journal.before));
  const listeners: (() => void)[] = [];
  let suspicion: Suspicion = NO_SUSPICION;

  /** The one that is free first; there are never so many tokens that a scan costs anything. */
  const first = (rows: ReadonlyMap<string, TokenRow>): TokenRow | undefined => {
    let found: TokenRow | undefined;
    for (const row of rows.values()) if (found === undefined || row.freeAtMs < found.freeAtMs) found = row;
    return found;
  };
  const rowOf = (id: string): TokenRow | undefined => inUse.get(id) ?? suspects.get(id);
  const all = (): TokenRow[] => [...inUse.values(), ...suspects.values()];
  const drop = (id: string): void => void (inUse.delete(id) || suspects.delete(id));
  /** At the end, so that of those that are free equally long all have their turn. */
  const put = (row: TokenRow): void => {
    drop(row.id);
    (row.isSuspect ? suspects : inUse).set(row.id, row);
  };

  const holds = (): Holds => {
    const held = Object.fromEntries(heldBefore);
    for (const { id, record } of suspects.values()) if (record?.heldMs) held[id] = record.heldMs;
    return held;
  };
  const keepHolds = (): Promise<void> =>
    journal.keep(holds()).catch((error: unknown) => {
      if (!isStorageFault(error)) throw error;
      onJournalFailed();
    });

  return {
    nowMs,
    onChange: (listener) => void listeners.push(listener),
    add: (id) => {
      if (rowOf(id) !== undefined) return;
      const heldMs = heldBefore.get(id);
      const isSuspect = heldBefore.delete(id);
      const record = heldMs === undefined ? null : { ...draftOf(null, 0), heldMs };
      put({ id, record, freeAtMs: 0, isSuspect });
      for (const listener of listeners) listener();
    },
    remove: async (id) => drop(id),
    read: (look) => {
      const row = typeof look === 'object' ? rowOf(look.id) : first(look === 'free' ? inUse : suspects);
      return row === undefined ? [] : [row];
    },
    write: (row, { record, freeAtMs, place }) => {
      const { id } = row;
      if (rowOf(id) !== row) return false;
      if (place === 'gone') drop(id);
      else put({ id, record, freeAtMs, isSuspect: place === 'suspect' });
      const isSameHold = (row.record?.heldMs ?? null) === (record?.heldMs ?? null);
      return isSameHold ? true : keepHolds().then(() => true);
    },
    writeSuspicion: (known, next) => {
      if (known !== suspicion) return false;
      suspicion = next;
      return true;
    },
    suspectAll: () => {
      for (const row of all())
        if (!row.isSuspect && row.freeAtMs < Infinity) put({ ...row, freeAtMs: 0, isSuspect: true });
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
      return new Map(all().map(({ id, record, isSuspect }) => [id, stateOf(record, isSuspect, atMs)]));
    },
  };
};
