import type { Clock } from '#server/system.ts';
import { stateOf, type TokenRecord, type TokenState } from '../rules/token-record.ts';
import { createTokenHeap, NOT_IN_HEAP, type HeapEntry } from './token-heap.ts';
import type { TokenCounts } from './token-store.ts';

/** `usable`: in the heap, by when it is free. `away`: only one of its answers can free it. */
export type TokenEntry = HeapEntry & {
  readonly id: string;
  record: TokenRecord | null;
  place: 'usable' | 'taken' | 'away' | 'suspect';
};

/** Which token is where: in one place at a time. */
export const createTokenPlaces = (clock: Clock) => {
  const entries = new Map<string, TokenEntry>();
  const usable = createTokenHeap<TokenEntry>();
  const suspects = new Set<TokenEntry>();
  let away = 0;

  const leave = (entry: TokenEntry): void => {
    usable.remove(entry);
    suspects.delete(entry);
    if (entry.place === 'away') away -= 1;
  };

  const setAside = (entry: TokenEntry): void => {
    leave(entry);
    entry.place = 'suspect';
    suspects.add(entry);
  };

  const state = ({ place, record }: TokenEntry): TokenState =>
    stateOf(record, place === 'suspect', clock.monotonicMs());

  return {
    get: (id: string) => entries.get(id),
    /** Ahead of all others. */
    add: (id: string): void => {
      const entry: TokenEntry = { id, record: null, place: 'usable', atMs: 0, heapIndex: NOT_IN_HEAP };
      entries.set(id, entry);
      usable.set(entry, -Infinity);
    },
    remove: (entry: TokenEntry): void => {
      leave(entry);
      entries.delete(entry.id);
    },
    take: (entry: TokenEntry): void => {
      leave(entry);
      entry.place = 'taken';
    },
    place: (entry: TokenEntry, freeAtMs: number): void => {
      leave(entry);
      entry.place = freeAtMs === Infinity ? 'away' : 'usable';
      if (entry.place === 'away') away += 1;
      else usable.set(entry, Math.max(freeAtMs, clock.monotonicMs()));
    },
    setAside,
    setAllAside: (): void => {
      for (const entry of entries.values()) if (entry.place !== 'away') setAside(entry);
    },
    first: usable.first,
    isAnyAway: () => away > 0,
    firstSuspect: (): TokenEntry | undefined => suspects.values().next().value,
    size: () => ({ tokens: entries.size, suspects: suspects.size }),
    counts: (): TokenCounts => {
      const counts = { healthy: 0, cooling: 0, suspect: 0 };
      for (const entry of entries.values()) counts[state(entry).state] += 1;
      return counts;
    },
    states: () => new Map([...entries.values()].map((entry) => [entry.id, state(entry)])),
  };
};
