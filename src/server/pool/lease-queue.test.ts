import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { ticketsOf } from './fair-order.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';

const from = (network: number) => ticketsOf({ network, work: 1 });

const setUp = () => {
  const available: string[] = [];
  let failure: Error | null = null;
  const queue = createLeaseQueue<string>({
    clock: createFakeSystem().clock,
    maxWaiting: 3,
    maxWaitMs: 5_000,
    take: async () => {
      const error = failure;
      failure = null;
      await Promise.resolve();
      if (error === null) return available.shift() ?? null;
      available.push('a');
      throw error;
    },
    release: (taken) => void available.unshift(taken),
    nextChance: () => ({ waitMs: Infinity, mayBeSooner: true }),
    isEmpty: () => false,
    refusal: () => new Error('busy'),
  });
  const fail = (error: Error): void => void (failure = error);
  return { queue, available, fail };
};

it('a full queue refuses the last of the network that has most waiting, not a newcomer', async () => {
  const { queue, available } = setUp();
  const [first, second, third] = [queue.join(from(1)), queue.join(from(1)), queue.join(from(1))];
  const newcomer = queue.join(from(2));
  await expect(third).rejects.toThrow('busy');
  available.push('a', 'b', 'c');
  queue.serve();
  expect(await Promise.all([first, newcomer, second])).toEqual(['a', 'b', 'c']);
});

it('a token that was taken for somebody who left meanwhile is not lost', async () => {
  const { queue, available } = setUp();
  const leaving = new AbortController();
  available.push('a');
  const left = queue.join(undefined, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(await queue.join()).toBe('a');
});

it('who comes while a first attempt is under way is served after it, even if it fails', async () => {
  const { queue, fail } = setUp();
  fail(new Error('lost'));
  const [first, second] = [queue.join(from(1)), queue.join(from(2))];
  await expect(first).rejects.toThrow('lost');
  expect(await second).toBe('a');
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
