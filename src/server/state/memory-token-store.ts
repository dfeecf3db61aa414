import { LATE_MS, sendIntervalMs } from '#server/rules/pace.ts';
import { NEW_STANDING, type Standing, type Standings } from '#server/rules/standing.ts';
import type { Hold } from '#server/rules/suspicion.ts';
import { draftOf, stateOf } from '#server/rules/token-rules.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { Clock } from '#server/system.ts';
import { createTokenHeap, NOT_IN_HEAP, type HeapEntry } from './token-heap.ts';
import {
  rowAfter,
  type Change,
  type Look,
  type OpenTokenStore,
  type TokenRow,
  type TokenWrite,
} from './token-store.ts';

type MemoryTokenStoreDeps = {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly journal?: StandingJournal | undefined;
  /** What is known here still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed?: () => void;
};

export type Holds = Readonly<Record<string, Hold>>;

export type StandingJournal = {
  readonly own: Standing;
  readonly holds: Holds;
  readonly others: () => readonly Standing[];
  readonly keep: (standing: Standing, holds: Holds) => Promise<void>;
};

type Entry = HeapEntry & { row: TokenRow };

const NO_OTHERS: readonly Standing[] = [];
const NO_JOURNAL: StandingJournal = {
  own: NEW_STANDING,
  holds: {},
  others: () => NO_OTHERS,
  keep: async () => {},
};

export const openMemoryTokenStore = (deps: MemoryTokenStoreDeps): OpenTokenStore => {
  const { clock, perSecond, journal = NO_JOURNAL, onJournalFailed = () => {} } = deps;
  const intervalMs = sendIntervalMs(perSecond);
  // Comparable with the times of other processes, and steady.
  const startMs = clock.wallMs() - clock.monotonicMs();
  const nowMs = (): number => startMs + clock.monotonicMs();

  return (onChange) => {
    const tokens = createTokens(journal.holds);
    let others = journal.others();
    let standings: Standings = [journal.own, ...others];
    let standingVersion = 0;
    let tatMs = -Infinity;

    const states = () => {
      const atMs = nowMs();
      return new Map(
        tokens.rows().map(({ id, record, isSuspect }) => [id, stateOf(record, isSuspect, atMs)] as const),
      );
    };
    const readStandings = (): Standings => {
      if (others === journal.others()) return standings;
      others = journal.others();
      standings = [standings[0], ...others];
      return standings;
    };
    const noteFault = (error: unknown): void => {
      if (!isStorageFault(error)) throw error;
      onJournalFailed();
    };
    const isCurrent = ({ view, token, standing, isSend }: Change): boolean =>
      (token === undefined || tokens.isCurrent(token.row)) &&
      ((standing === undefined && isSend !== true) || view.standingVersion === standingVersion);
    const slotWaitMs = (): number => tatMs - LATE_MS - nowMs();

    return {
      nowMs,
      lookAheadMs: 0,
      add: (id) => {
        if (tokens.add(id)) onChange();
      },
      remove: async (id) => tokens.drop(id),
      read: (look) => {
        const atMs = nowMs();
        const found = tokens.find(look, atMs);
        return {
          nowMs: atMs,
          standings: readStandings(),
          standingVersion,
          tokens: found === undefined ? [] : [found.row],
        };
      },
      apply: (change) => {
        const { token, standing, isSend, suspectAll } = change;
        if (!isCurrent(change) || (isSend === true && slotWaitMs() > 0)) return null;
        const slotMs = nowMs();
        if (isSend === true) tatMs = Math.max(tatMs, slotMs) + intervalMs;
        if (token !== undefined) tokens.write(token);
        if (suspectAll === true) tokens.suspectAll();
        if (standing === undefined) return slotMs;
        standings = [standing, ...others];
        standingVersion += 1;
        return journal
          .keep(standing, tokens.holds())
          .catch(noteFault)
          .then(() => slotMs);
      },
      standings: readStandings,
      slotWaitMs,
      tokenWait: () => ({ waitMs: tokens.firstFreeMs() - nowMs(), mayBeSooner: tokens.isAnyAway() }),
      size: tokens.size,
      counts: () => {
        const counts = { healthy: 0, cooling: 0, suspect: 0 };
        for (const { state } of states().values()) counts[state] += 1;
        return counts;
      },
      states,
    };
  };
};

const createTokens = (before: Holds) => {
  const entries = new Map<string, Entry>();
  const inUse = createTokenHeap<Entry>();
  const suspects = createTokenHeap<Entry>();
  const heldBefore = new Map(Object.entries(before));

  const heapOf = ({ isSuspect }: TokenRow) => (isSuspect ? suspects : inUse);
  const put = (entry: Entry, row: TokenRow): void => {
    heapOf(entry.row).remove(entry);
    entry.row = row;
    heapOf(row).set(entry, row.freeAtMs);
  };
  const drop = (id: string): void => {
    const entry = entries.get(id);
    if (entry === undefined) return;
    heapOf(entry.row).remove(entry);
    entries.delete(id);
  };

  return {
    rows: (): TokenRow[] => [...entries.values()].map(({ row }) => row),
    add: (id: string): boolean => {
      if (entries.has(id)) return false;
      const hold = heldBefore.get(id);
      const isSuspect = heldBefore.delete(id);
      const record = hold === undefined ? null : { ...draftOf(null, 0), hold };
      const row = { id, version: 0, record, freeAtMs: isSuspect ? 0 : -Infinity, isSuspect };
      const entry: Entry = { row, atMs: 0, heapIndex: NOT_IN_HEAP };
      entries.set(id, entry);
      put(entry, row);
      return true;
    },
    drop,
    find: (look: Look, nowMs: number): Entry | undefined => {
      if (look === 'none') return undefined;
      if (typeof look === 'object') return entries.get(look.id);
      const first = (look === 'free' ? inUse : suspects).first();
      return first !== undefined && first.atMs <= nowMs ? first : undefined;
    },
    isCurrent: (row: TokenRow): boolean => entries.get(row.id)?.row === row,
    write: (write: TokenWrite): void => {
      const entry = entries.get(write.row.id);
      if (write.place === 'gone') drop(write.row.id);
      else if (entry !== undefined) put(entry, rowAfter(write));
    },
    suspectAll: (): void => {
      for (const entry of entries.values())
        if (!entry.row.isSuspect && entry.atMs < Infinity)
          put(entry, { ...entry.row, freeAtMs: 0, isSuspect: true });
    },
    holds: (): Holds => {
      const all = Object.fromEntries(heldBefore);
      for (const { row } of entries.values()) if (row.record?.hold) all[row.id] = row.record.hold;
      return all;
    },
    firstFreeMs: (): number => inUse.first()?.atMs ?? Infinity,
    isAnyAway: (): boolean => entries.values().some(({ atMs }) => atMs === Infinity),
    size: () => ({
      tokens: entries.size,
      suspects: suspects.size(),
      checkMs: suspects.first()?.atMs ?? Infinity,
    }),
  };
};
