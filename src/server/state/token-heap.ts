export type HeapEntry = { atMs: number; heapIndex: number };

export const NOT_IN_HEAP = -1;

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
    size: () => heap.length,
    set: (entry: T, atMs: number): void => {
      remove(entry);
      entry.atMs = atMs;
      heap.push(entry);
      rise(entry, heap.length - 1);
    },
    remove,
  };
};
