import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairOrder } from './fair-order.ts';

type Order = ReturnType<typeof createFairOrder<string>>;

/** `a1 a2 b4`: waiters by network and work. */
const setUp = (waiting: string): Order => {
  const order = createFairOrder<string>();
  add(order, waiting);
  return order;
};
const add = (order: Order, waiting: string): void => {
  for (const name of waiting.split(' '))
    order.add(name, { network: name.codePointAt(0) ?? 0, work: Number(name.at(-1)) });
};
const take = (order: Order, count = Infinity): string => {
  const taken: string[] = [];
  while (taken.length < count) {
    const next = order.takeNext();
    if (next === undefined) break;
    taken.push(next);
  }
  return taken.join(' ');
};

it('the first turn is for who has asked for nothing', () => {
  const order = setUp('a.1 a-1 a+1 b.1 b-1 b+1 b*1');
  expect(take(order, 2)).toBe('a.1 b.1');
  add(order, 'c.1');
  expect(take(order, 1)).toBe('c.1');
});

it('turns come four times as often for four times the work', () => {
  const many = (network: string, work: number) =>
    Array.from({ length: 100 }, (_, n) => `${network}${n}.${work}`).join(' ');
  const order = setUp(`${many('a', 1)} ${many('b', 4)}`);
  const taken = take(order, 100);
  expect(taken.split(' ').filter((name) => name.startsWith('b'))).toHaveLength(80);
});

it('turns are equal between networks that always ask, whatever they have waiting', () => {
  const network = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(fc.array(network, { maxLength: 100 }), (extra) => {
      const order = createFairOrder<{ network: number }>();
      for (const network of [...extra, ...Array.from({ length: 200 }, (_, n) => n % 5)])
        order.add({ network }, { network, work: 1 });
      const turns = [0, 0, 0, 0, 0];
      for (let n = 0; n < 150; n += 1) turns[order.takeNext()?.network ?? 0]! += 1;
      expect(turns).toEqual([30, 30, 30, 30, 30]);
    }),
  );
});

it('everybody who waits gets one turn, and nobody who left gets one', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'remove', 'take', 'last'),
    waiter: fc.nat(30),
    network: fc.nat(6),
    work: fc.constantFrom(1, 2, 4),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const order = createFairOrder<number>();
      const waiting = new Set<number>();
      for (const { kind, waiter, network, work } of steps) {
        if (kind === 'add') {
          order.add(waiter, { network, work });
          waiting.add(waiter);
        } else if (kind === 'remove') {
          order.remove(waiter);
          waiting.delete(waiter);
        } else {
          const picked = kind === 'take' ? order.takeNext() : order.last();
          expect(picked === undefined ? waiting.size === 0 : waiting.has(picked)).toBe(true);
          if (kind === 'take') waiting.delete(picked ?? -1);
        }
        expect(order.size()).toBe(waiting.size);
        expect(order.oldest()).toBe(waiting.values().next().value);
      }
    }),
  );
});
