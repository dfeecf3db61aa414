import type { Hold } from '#server/rules/suspicion.ts';
import { draftOf, stateOf, type TokenRecord, type TokenState } from '#server/rules/token-rules.ts';
import type { Look, TokenCounts, TokenRow, TokenWrite } from './token-store.ts';

/** `at-rest`: in the heap, by when it is free. `away`: only one of its answers can free it. */
type Entry = HeapEntry & {
  readonly id: string;
  version: number;
  record: TokenRecord | null;
  place: 'at-rest' | 'away' | 'suspect';
};

/** What is read leads back to where it is: it need not be looked for again. */
type MemoryRow = TokenRow & { readonly entry: Entry };

/** The tokens that are on hold, by their ids. */
export type Holds = Readonly<Record<string, Hold>>;

/** Which token is where: in one place at a time. `before`: how the process before this one left them. */
export const createMemoryTokens = (before: Holds) => {
  const holds = new Map(Object.entries(before));
  const entries = new Map<string, Entry>();
  const atRest = createTokenHeap<Entry>();
  const suspects = createTokenHeap<Entry>();
  let suspectCount = 0;
  let away = 0;

  const leave = (entry: Entry): void => {
    (entry.place === 'suspect' ? suspects : atRest).remove(entry);
    if (entry.place === 'suspect') suspectCount -= 1;
    if (entry.place === 'away') away -= 1;
    entry.version += 1;
  };
  const rest = (entry: Entry, freeAtMs: number): void => {
    leave(entry);
    entry.place = freeAtMs === Infinity ? 'away' : 'at-rest';
    if (entry.place === 'away') away += 1;
    else atRest.set(entry, freeAtMs);
  };
  const suspect = (entry: Entry, checkMs: number): void => {
    leave(entry);
    entry.place = 'suspect';
    suspects.set(entry, checkMs);
    suspectCount += 1;
  };
  const drop = (entry: Entry): void => {
    leave(entry);
    entries.delete(entry.id);
  };

  const find = (look: Look, nowMs: number): Entry | undefined => {
    if (look === 'none') return undefined;
    if (typeof look === 'object') return entries.get(look.id);
    const first = (look === 'free' ? atRest : suspects).first();
    return first !== undefined && first.atMs <= nowMs ? first : undefined;
  };
  const rowOf = (entry: Entry): MemoryRow => ({
    id: entry.id,
    version: entry.version,
    record: entry.record,
    freeAtMs: entry.place === 'away' ? Infinity : entry.atMs,
    isSuspect: entry.place === 'suspect',
    entry,
  });

  return {
    /** Ahead of all others, unless it is still on hold. False if it is there already. */
    add: (id: string): boolean => {
      if (entries.has(id)) return false;
      const entry = newEntry(id, holds.get(id));
      entries.set(id, entry);
      if (holds.delete(id)) suspect(entry, 0);
      else atRest.set(entry, -Infinity);
      return true;
    },
    remove: (id: string): void => {
      const entry = entries.get(id);
      if (entry !== undefined) drop(entry);
    },
    read: (look: Look, nowMs: number): readonly TokenRow[] => {
      const found = find(look, nowMs);
      return found === undefined ? [] : [rowOf(found)];
    },
    isCurrent: (row: TokenRow): boolean => (row as MemoryRow).entry.version === row.version,
    write: ({ row, record, freeAtMs, place }: TokenWrite): void => {
      const { entry } = row as MemoryRow;
      entry.record = record;
      if (place === 'gone') drop(entry);
      else if (place === 'suspect') suspect(entry, freeAtMs);
      else rest(entry, freeAtMs);
    },
    /** All but those that wait for an answer. They are checked ahead of those that were refused. */
    suspectAll: (): void => {
      for (const entry of entries.values()) if (entry.place === 'at-rest') suspect(entry, 0);
    },
    /** With those that have not been added yet. */
    holds: (): Holds => Object.fromEntries([...holds, ...holdsIn(entries.values())]),
    firstFreeMs: (): number => atRest.first()?.atMs ?? Infinity,
    isAnyAway: () => away > 0,
    size: () => ({
      tokens: entries.size,
      suspects: suspectCount,
      checkMs: suspects.first()?.atMs ?? Infinity,
    }),
    counts: (nowMs: number): TokenCounts => {
      const counts = { healthy: 0, cooling: 0, suspect: 0 };
      for (const { record, place } of entries.values())
        counts[stateOf(record, place === 'suspect', nowMs).state] += 1;
      return counts;
    },
    states: (nowMs: number): ReadonlyMap<string, TokenState> =>
      new Map(
        [...entries.values()].map(({ id, record, place }) => [
          id,
          stateOf(record, place === 'suspect', nowMs),
        ]),
      ),
  };
};

const newEntry = (id: string, hold: Hold | undefined): Entry => ({
  id,
  version: 0,
  record: hold === undefined ? null : { ...draftOf(null, 0), hold },
  place: 'at-rest',
  atMs: 0,
  heapIndex: NOT_IN_HEAP,
});

const holdsIn = (entries: Iterable<Entry>): (readonly [string, Hold])[] =>
  [...entries].flatMap(({ id, record }) => (record?.hold ? [[id, record.hold] as const] : []));

/** An entry of a heap, ordered by `atMs`. */
type HeapEntry = { atMs: number; heapIndex: number };

export const NOT_IN_HEAP = -1;

/** A binary heap, earliest first, in which an entry can be moved or removed: the cost hardly grows with its size. */
export const createTokenHeap = <T extends HeapEntry>() => {
  const heap: T[] = [];

  const put = (entry: T, index: number): void => {
    heap[index] = entry;
    entry.heapIndex = index;
  };

  const rise = (entry: T, from: number): void => {
    let hole = from;
    while (hole > 0) {
      const parent = heap[(hole - 1) >> 1] as T;
      if (parent.atMs <= entry.atMs) break;
      put(parent, hole);
      hole = (hole - 1) >> 1;
    }
    put(entry, hole);
  };

  const sink = (entry: T, from: number): void => {
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as T).atMs < (heap[child] as T).atMs) child += 1;
      const below = heap[child] as T;
      if (below.atMs >= entry.atMs) break;
      put(below, hole);
      hole = child;
    }
    put(entry, hole);
  };

  const remove = (entry: T): void => {
    const index = entry.heapIndex;
    if (index === NOT_IN_HEAP) return;
    entry.heapIndex = NOT_IN_HEAP;
    const last = heap.pop() as T;
    if (last === entry) return;
    // It may belong further up or further down than the entry whose place it takes.
    sink(last, index);
    rise(last, last.heapIndex);
  };

  return {
    first: (): T | undefined => heap[0],
    /** Puts an entry in, or moves it, to `atMs`. */
    set: (entry: T, atMs: number): void => {
      remove(entry);
      entry.atMs = atMs;
      heap.push(entry);
      rise(entry, heap.length - 1);
    },
    remove,
  };
};
