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
  const rows = new Map<string, TokenRow>();
  const heldBefore = new Map(Object.entries(journal.before));
  const listeners: (() => void)[] = [];
  let suspicion: Suspicion = NO_SUSPICION;

  /** The one that is free first; there are never so many tokens that a scan costs anything. */
  const first = (isSuspect: boolean): TokenRow | undefined => {
    let found: TokenRow | undefined;
    for (const row of rows.values())
      if (row.isSuspect === isSuspect && (found === undefined || row.freeAtMs < found.freeAtMs)) found = row;
    return found;
  };
  const holds = (): Holds => {
    const all = Object.fromEntries(heldBefore);
    for (const { id, record } of rows.values()) if (record?.heldMs) all[id] = record.heldMs;
    return all;
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
      if (rows.has(id)) return;
      const heldMs = heldBefore.get(id);
      const isSuspect = heldBefore.delete(id);
      const record = heldMs === undefined ? null : { ...draftOf(null, 0), heldMs };
      rows.set(id, { id, record, freeAtMs: isSuspect ? 0 : -Infinity, isSuspect });
      for (const listener of listeners) listener();
    },
    remove: async (id) => void rows.delete(id),
    read: (look) => {
      const row = typeof look === 'object' ? rows.get(look.id) : first(look === 'suspects');
      return row === undefined ? [] : [row];
    },
    write: (row, { record, freeAtMs, place }) => {
      const { id } = row;
      if (rows.get(id) !== row) return false;
      // To the end, so that of those that are free equally long all have their turn.
      rows.delete(id);
      if (place !== 'gone') rows.set(id, { id, record, freeAtMs, isSuspect: place === 'suspect' });
      const isSameHold = (row.record?.heldMs ?? null) === (record?.heldMs ?? null);
      return isSameHold ? true : keepHolds().then(() => true);
    },
    writeSuspicion: (known, next) => {
      if (known !== suspicion) return false;
      suspicion = next;
      return true;
    },
    suspectAll: () => {
      for (const row of rows.values())
        if (!row.isSuspect && row.freeAtMs < Infinity)
          rows.set(row.id, { ...row, freeAtMs: 0, isSuspect: true });
    },
    suspicion: () => suspicion,
    tokenWait: () => ({
      waitMs: (first(false)?.freeAtMs ?? Infinity) - nowMs(),
      mayBeSooner: rows.values().some(({ isSuspect, freeAtMs }) => !isSuspect && freeAtMs === Infinity),
    }),
    size: () => {
      let suspects = 0;
      for (const { isSuspect } of rows.values()) suspects += Number(isSuspect);
      return { tokens: rows.size, suspects, checkMs: first(true)?.freeAtMs ?? Infinity };
    },
    counts: () => {
      const counts = { healthy: 0, cooling: 0, suspect: 0 };
      const atMs = nowMs();
      for (const { record, isSuspect } of rows.values()) counts[stateOf(record, isSuspect, atMs).state] += 1;
      return counts;
    },
    states: () => {
      const atMs = nowMs();
      return new Map(
        [...rows.values()].map(
          ({ id, record, isSuspect }) => [id, stateOf(record, isSuspect, atMs)] as const,
        ),
      );
    },
  };
};
