import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTokenHeap, NOT_IN_HEAP } from './token-heap.ts';

it('gives its entries back earliest first, however they were moved and removed before', () => {
  const step = fc.record({ entry: fc.nat(30), atMs: fc.oneof(fc.nat(50), fc.constant(null)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const heap = createTokenHeap();
      const entries = Array.from({ length: 31 }, () => ({ atMs: 0, heapIndex: NOT_IN_HEAP }));
      const model = new Map<number, number>();
      for (const { entry, atMs } of steps) {
        const moved = entries[entry] ?? { atMs: 0, heapIndex: NOT_IN_HEAP };
        if (atMs === null) {
          heap.remove(moved);
          model.delete(entry);
        } else {
          heap.set(moved, atMs);
          model.set(entry, atMs);
        }
      }
      const given: number[] = [];
      for (let first = heap.first(); first !== undefined; first = heap.first()) {
        given.push(first.atMs);
        heap.remove(first);
      }
      expect(given).toEqual([...model.values()].sort((a, b) => a - b));
    }),
  );
});
