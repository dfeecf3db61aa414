import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { ticketsOf } from './fair-order.ts';
import { createLeaseQueue, createScarcity } from './lease-queue.ts';

const from = (network: number) => ticketsOf({ network, block: network, work: 1 });

const setUp = () => {
  const { clock, advance } = createFakeSystem();
  const available: string[] = [];
  let failure: Error | null = null;
  const queue = createLeaseQueue({
    clock,
    take: async () => {
      const error = failure;
      failure = null;
      await Promise.resolve();
      if (error !== null) {
        available.push('a');
        throw error;
      }
      const name = available.shift();
      return name === undefined ? null : { name, release: () => void available.unshift(name) };
    },
    nextChance: () => ({ waitMs: Infinity, mayBeSooner: true }),
    refusal: () => new Error('busy'),
  });
  const join = async (...args: Parameters<typeof queue.join>) => (await queue.join(...args)).name;
  const fail = (error: Error): void => void (failure = error);
  return { queue, join, advance, available, fail };
};

it('a full queue refuses the last of the network that has most waiting, not a newcomer', async () => {
  const { queue, join, available } = setUp();
  const all = Array.from({ length: 200 }, () => join(from(1)));
  const newcomer = join(from(2));
  await expect(all.at(-1)).rejects.toThrow('busy');
  available.push('a', 'b', 'c');
  queue.serve();
  expect(await Promise.all([all[0], newcomer, all[1]])).toEqual(['a', 'b', 'c']);
});

it('nobody waits for longer than five seconds, or than there is time, even if a database hangs', async () => {
  const { clock, advance } = createFakeSystem();
  const queue = createLeaseQueue({
    clock,
    take: () => new Promise<never>(() => {}),
    nextChance: () => ({ waitMs: 0, mayBeSooner: true }),
    refusal: () => new Error('busy'),
  });
  const refusedMs: number[] = [];
  for (const deadlineMs of [2_000, Infinity])
    queue.join(from(1), undefined, deadlineMs).catch(() => refusedMs.push(clock.monotonicMs()));
  await advance(10_000);
  expect(refusedMs).toEqual([2_000, 5_000]);
});

it('a token that was taken for somebody who left meanwhile is not lost', async () => {
  const { join, available } = setUp();
  const leaving = new AbortController();
  available.push('a');
  const left = join(undefined, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(await join()).toBe('a');
});

it('who comes while a first attempt is under way is served after it, even if it fails', async () => {
  const { join, fail } = setUp();
  fail(new Error('lost'));
  const [first, second] = [join(from(1)), join(from(2))];
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
