import { createRing } from '../ring.ts';

/** Something that can wait in the schedule; `freeAtMs` is its key while it waits in the heap. */
export type Scheduled = { freeAtMs: number };

/**
 * Who may be used now, and who when. A ring of the ready (round robin) and a binary heap of the waiting: both cost
 * the same at ten entries and at a hundred thousand. An entry is in at most one of the two.
 */
export const createTokenSchedule = <T extends Scheduled>() => {
  const ring = createRing<T>();
  const heap: T[] = [];

  const popDue = (nowMs: number): T | undefined => {
    const top = heap[0];
    if (top === undefined || top.freeAtMs > nowMs) return undefined;
    const last = heap.pop() as T;
    if (last !== top) sink(heap, last);
    return top;
  };

  return {
    pushReady: ring.push,
    /** Ahead of all others. */
    unshiftReady: ring.unshift,
    popReady: ring.shift,
    hasReady: () => ring.first() !== undefined,
    pushWaiting: (entry: T): void => rise(heap, entry),
    popDue,
    /** When the next waiting entry is due; Infinity if none waits. */
    nextDueMs: () => heap[0]?.freeAtMs ?? Infinity,
  };
};

const rise = <T extends Scheduled>(heap: T[], entry: T): void => {
  let hole = heap.length;
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const above = heap[parent] as T;
    if (above.freeAtMs <= entry.freeAtMs) break;
    heap[hole] = above;
    hole = parent;
  }
  heap[hole] = entry;
};

const sink = <T extends Scheduled>(heap: T[], entry: T): void => {
  const size = heap.length;
  let hole = 0;
  for (;;) {
    let child = 2 * hole + 1;
    if (child >= size) break;
    const right = child + 1;
    if (right < size && (heap[right] as T).freeAtMs < (heap[child] as T).freeAtMs) child = right;
    const below = heap[child] as T;
    if (below.freeAtMs >= entry.freeAtMs) break;
    heap[hole] = below;
    hole = child;
  }
  heap[hole] = entry;
};
