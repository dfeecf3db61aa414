import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairOrder } from './fair-order.ts';

it('turns come four times as often for four times the work', () => {
  const order = createFairOrder<number>();
  for (const work of [1, 4])
    for (let n = 0; n < 100; n += 1) order.add(work * 1_000 + n, { network: work, block: work, work });
  const taken = Array.from({ length: 100 }, () => order.takeNext() ?? 0);
  expect(taken.filter((waiter) => waiter >= 4_000)).toHaveLength(80);
});

it('turns are equal between networks that always ask, whatever they have waiting', () => {
  const network = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(fc.array(network, { maxLength: 100 }), (extra) => {
      const order = createFairOrder<{ network: number }>();
      for (const network of [...extra, ...Array.from({ length: 200 }, (_, n) => n % 5)])
        order.add({ network }, { network, block: network, work: 1 });
      const turns = [0, 0, 0, 0, 0];
      for (let n = 0; n < 150; n += 1) turns[order.takeNext()?.network ?? 0]! += 1;
      expect(turns).toEqual([30, 30, 30, 30, 30]);
    }),
  );
});

it('another ticket gives somebody who waits a better place, never a worse one', () => {
  const order = createFairOrder<string>();
  for (const waiter of ['first', 'second', 'shared']) order.add(waiter, { network: 1, block: 1, work: 1 });
  for (const network of [2, 1]) order.add('shared', { network, block: network, work: 1 });
  const taken = Array.from({ length: 4 }, () => order.takeNext());
  expect(taken).toEqual(['first', 'shared', 'second', undefined]);
});

it('a block gets the turns of eight networks, however many it has, and keeps no fresh network waiting', () => {
  const order = createFairOrder<string>();
  const NETWORKS = 20;
  for (let n = 0; n < 400; n += 1) order.add(`one ${n}`, { network: 1_000 + n, block: 100, work: 1 });
  for (let n = 0; n < 400; n += 1) order.add(`${n}`, { network: n % NETWORKS, block: n % NETWORKS, work: 1 });
  const take = (turns: number) => Array.from({ length: turns }, () => order.takeNext() ?? '');
  const ofBlock = take(280).filter((waiter) => waiter.startsWith('one'));
  expect(ofBlock.length).toBeGreaterThanOrEqual(70);
  expect(ofBlock.length).toBeLessThanOrEqual(100);
  expect(order.firstOfLightUsers()).toEqual([]);
  order.add('another', { network: 5_000, block: 5_000, work: 1 });
  expect([order.firstOfLightUsers(), order.takeNext()]).toEqual([['another'], 'another']);
});

it('everybody who waits gets one turn, and nobody who left gets one', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'remove', 'take', 'last'),
    waiter: fc.nat(30),
    network: fc.nat(6),
    block: fc.nat(2),
    work: fc.constantFrom(1, 2, 4),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const order = createFairOrder<number>();
      const waiting = new Set<number>();
      for (const { kind, waiter, network, block, work } of steps) {
        if (kind === 'add') {
          order.add(waiter, { network, block, work });
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
