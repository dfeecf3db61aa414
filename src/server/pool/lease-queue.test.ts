import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createLeaseQueue } from './lease-queue.ts';

const setUp = (options: { nextChanceMs?: (nowMs: number) => number } = {}) => {
  const { clock, advance } = createFakeSystem();
  const available: string[] = [];
  const queue = createLeaseQueue<string>({
    clock,
    maxWaiting: 3,
    maxWaitMs: 5_000,
    take: () => available.shift(),
    nextChanceMs: options.nextChanceMs ?? (() => Infinity),
    isHopeless: () => false,
    refusal: () => new Error('busy'),
  });
  return { queue, available, advance };
};

describe('createLeaseQueue', () => {
  it('serves at once what is there, and first come first served what comes later', async () => {
    const { queue, available } = setUp();
    available.push('a');
    expect(await queue.join()).toBe('a');
    const waiting = [queue.join(), queue.join()];
    available.push('b', 'c');
    queue.serve();
    expect(await Promise.all(waiting)).toEqual(['b', 'c']);
    expect(queue.size()).toBe(0);
  });

  it('refuses when too many wait', async () => {
    const { queue, available } = setUp();
    const waiting = [queue.join(), queue.join(), queue.join()];
    await expect(queue.join()).rejects.toThrow('busy');
    available.push('a', 'b', 'c');
    queue.serve();
    await Promise.all(waiting);
  });

  it('refuses whoever waited too long', async () => {
    const { queue, advance } = setUp();
    const refused = expect(queue.join()).rejects.toThrow('busy');
    await advance(5_000);
    await refused;
    expect(queue.size()).toBe(0);
  });

  it('refuses at once when the next chance comes too late', async () => {
    const { queue } = setUp({ nextChanceMs: () => 5_001 });
    await expect(queue.join()).rejects.toThrow('busy');
  });

  it('wakes up when the next chance comes', async () => {
    const { queue, available, advance } = setUp({ nextChanceMs: () => 700 });
    const waiting = queue.join();
    await advance(699);
    available.push('a');
    await advance(1);
    expect(await waiting).toBe('a');
  });

  it('forgets whoever left', async () => {
    const { queue, available } = setUp();
    const leaving = new AbortController();
    const left = queue.join(leaving.signal);
    const stayed = queue.join();
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    available.push('a');
    queue.serve();
    expect(await stayed).toBe('a');
  });
});
