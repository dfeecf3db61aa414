import { describe, expect, it } from 'vitest';
import { createVisitorCounters, type LimitedEvent } from '#server/visitors/visitor-counters.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createSpentProofs, type SpendOutcome, type SpentProofs } from './spent-proofs.ts';

const MINUTE = 60_000;

const setUp = (capacity?: number) => {
  const system = createFakeSystem();
  const counters = createVisitorCounters(system);
  const memory = createSpentProofs({ system, counters, ...(capacity === undefined ? {} : { capacity }) });
  const spend = async (challengeId: string, ttlMs: number, events: readonly LimitedEvent[] = []) =>
    memory.spend({ challengeId, ttlMs, key: await memory.signingKey(), events });
  return { system, spentProofs: { ...memory, spend } };
};

describe('spend', () => {
  it('lets exactly one of many parallel calls through', async () => {
    const { spentProofs } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => spentProofs.spend('one', MINUTE)));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(199);
  });

  it('remembers every entry at least as long as it was asked to, while others come and go', async () => {
    const { system, spentProofs } = setUp();
    const lastMoments: Promise<SpendOutcome>[] = [];
    for (let step = 0; step < 100; step += 1) {
      const ttlMs = ((step * 37) % 10) * MINUTE + 1;
      expect(await spentProofs.spend(`id-${step}`, ttlMs)).toBe('accepted');
      system.clock.after(ttlMs - 1, () => lastMoments.push(spentProofs.spend(`id-${step}`, ttlMs)));
      await system.advance(MINUTE / 2);
    }
    await system.advance(11 * MINUTE);
    expect(await Promise.all(lastMoments)).toEqual(Array(100).fill('used'));
  });

  it('forgets expired entries, so that the room is used again', async () => {
    const { system, spentProofs } = setUp(2);
    await spentProofs.spend('a', MINUTE);
    await spentProofs.spend('b', MINUTE);
    await system.advance(2 * MINUTE);
    expect(await spentProofs.spend('c', MINUTE)).toBe('accepted');
    expect(await spentProofs.spend('d', MINUTE)).toBe('accepted');
    expect(await spentProofs.spend('a', MINUTE)).toBe('unavailable');
    await system.advance(2 * MINUTE);
    expect(await spentProofs.spend('a', MINUTE)).toBe('accepted');
  });

  it('refuses when full and drops nothing to make room', async () => {
    const { system, spentProofs } = setUp(1_000);
    for (let id = 0; id < 1_000; id += 1) expect(await spentProofs.spend(`${id}`, MINUTE)).toBe('accepted');
    await system.advance(MINUTE - 1);
    expect(await spentProofs.spend('one more', MINUTE)).toBe('unavailable');
    for (let id = 0; id < 1_000; id += 1) expect(await spentProofs.spend(`${id}`, MINUTE)).toBe('used');
  });

  it('keeps an entry when the wall clock jumps, forward or back', async () => {
    const { system, spentProofs } = setUp();
    await spentProofs.spend('a', MINUTE);
    system.skewWall(24 * 60 * MINUTE);
    expect(await spentProofs.spend('a', MINUTE)).toBe('used');
    system.skewWall(-48 * 60 * MINUTE);
    expect(await spentProofs.spend('a', MINUTE)).toBe('used');
  });

  it('keeps a proof for whoever is over a limit, and counts nothing for a used one', async () => {
    const { system, spentProofs } = setUp();
    const allowance = { count: 1, periodMs: MINUTE, burst: 2 };
    const events = [{ limit: 'a', key: Buffer.alloc(16), allowance }];
    expect(await spentProofs.spend('a', 5 * MINUTE, events)).toBe('accepted');
    expect(await spentProofs.spend('a', 5 * MINUTE, events)).toBe('used');
    expect(await spentProofs.spend('b', 5 * MINUTE, events)).toBe('accepted');
    expect(await spentProofs.spend('c', 5 * MINUTE, events)).toEqual({
      allowed: false,
      retryAfterMs: MINUTE,
    });
    await system.advance(MINUTE);
    expect(await spentProofs.spend('c', 5 * MINUTE, events)).toBe('accepted');
  });
});

const keyOf = async ({ signingKey }: Pick<SpentProofs, 'signingKey'>): Promise<Buffer> =>
  (await signingKey()).export();

describe('signingKey', () => {
  it('is random for each memory and stays the same while clocks run on', async () => {
    const { system, spentProofs } = setUp();
    const key = await keyOf(spentProofs);
    expect(key).toHaveLength(32);
    await system.advance(60 * MINUTE);
    system.skewWall(60 * MINUTE);
    expect(await keyOf(spentProofs)).toEqual(key);
    const counters = createVisitorCounters(system);
    expect(await keyOf(createSpentProofs({ system, counters }))).not.toEqual(key);
  });

  it('outlives a small backward step and dies with a large one, in one jump or several', async () => {
    const { system, spentProofs } = setUp();
    const key = await keyOf(spentProofs);
    system.skewWall(-9_000);
    expect(await keyOf(spentProofs)).toEqual(key);
    system.skewWall(-2_000);
    const second = await keyOf(spentProofs);
    expect(second).not.toEqual(key);
    await system.advance(MINUTE);
    expect(await keyOf(spentProofs)).toEqual(second);
  });
});
