import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { ticketsOf } from './fair-order.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';

const from = (network: number) => ticketsOf({ network, work: 1 });

it('a full queue refuses the last of the network that has most waiting, not a newcomer', async () => {
  const available: string[] = [];
  const queue = createLeaseQueue<string>({
    clock: createFakeSystem().clock,
    maxWaiting: 3,
    maxWaitMs: 5_000,
    take: async () => available.shift() ?? null,
    release: (taken) => void available.unshift(taken),
    nextChance: () => ({ waitMs: Infinity, mayBeSooner: true }),
    isEmpty: () => false,
    refusal: () => new Error('busy'),
  });
  const [first, second, third] = [queue.join(from(1)), queue.join(from(1)), queue.join(from(1))];
  const newcomer = queue.join(from(2));
  await expect(third).rejects.toThrow('busy');
  available.push('a', 'b', 'c');
  queue.serve();
  expect(await Promise.all([first, newcomer, second])).toEqual(['a', 'b', 'c']);
});

it('scarcity is there within seconds, and gone after two minutes', async () => {
  const { clock, advance } = createFakeSystem();
  let shortage = 0.9;
  const scarcity = createScarcity(clock, () => shortage);
  expect(scarcity()).toBe(0);
  for (const expected of [0.5, 0.9, 0.9]) {
    await advance(1_000);
    expect(scarcity()).toBe(expected);
  }
  shortage = 0;
  await advance(60_000);
  expect(scarcity()).toBeCloseTo(0.4);
  await advance(70_000);
  expect(scarcity()).toBe(0);
});
