import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createRedisClock } from './redis-clock.ts';

const AHEAD = 1_700_000_000_000;

it('is ours until Redis has said its own', () => {
  const { clock } = createFakeSystem();
  expect(createRedisClock(clock).nowMs()).toBe(clock.wallMs());
});

it('is never behind Redis, and ahead by the shortest way there at most', async () => {
  const way = fc.record({ there: fc.nat(400), back: fc.nat(400), rest: fc.nat(900) });
  await fc.assert(
    fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 30 }), async (ways) => {
      const system = createFakeSystem();
      const redisClock = createRedisClock(system.clock);
      const redisMs = () => AHEAD + system.clock.monotonicMs();
      for (const { there, back, rest } of ways) {
        const askedMs = system.clock.monotonicMs();
        system.stall(there);
        const said = redisMs();
        system.stall(back);
        redisClock.observe(said, askedMs, system.clock.monotonicMs());
        system.stall(rest);
        expect(redisClock.nowMs()).toBeGreaterThanOrEqual(redisMs());
        expect(redisClock.nowMs()).toBeLessThanOrEqual(redisMs() + there);
      }
    }),
  );
});

it('follows a Redis that drifts, in either direction', () => {
  for (const rate of [1.001, 0.999]) {
    const system = createFakeSystem();
    const redisClock = createRedisClock(system.clock);
    for (let beat = 0; beat < 1_000; beat += 1) {
      const nowMs = system.clock.monotonicMs();
      expect(redisClock.observe(AHEAD + nowMs * rate, nowMs, nowMs)).toBe('steady');
      expect(Math.abs(redisClock.nowMs() - (AHEAD + nowMs * rate))).toBeLessThan(22);
      system.stall(200);
    }
  }
});

it('tells a leap, forward or back, and goes on from there', () => {
  const { clock } = createFakeSystem();
  const redisClock = createRedisClock(clock);
  expect(redisClock.observe(AHEAD, 0, 0)).toBe('steady');
  expect(redisClock.observe(AHEAD + 10_000, 0, 0)).toBe('steady');
  expect(redisClock.observe(AHEAD + 10_001, 0, 0)).toBe('leapt');
  expect(redisClock.nowMs()).toBe(AHEAD + 10_001);
  expect(redisClock.observe(AHEAD + 1, 0, 0)).toBe('steady');
  expect(redisClock.nowMs()).toBe(AHEAD + 1);
  expect(redisClock.observe(AHEAD - 10_000, 0, 0)).toBe('leapt');
  expect(redisClock.nowMs()).toBe(AHEAD - 10_000);
});

it('does not believe a smaller leap forward for as long as it is wide', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(20_000), (leapMs, leapAtMs) => {
      const system = createFakeSystem();
      const redisClock = createRedisClock(system.clock);
      for (let nowMs = 0; nowMs < leapAtMs + leapMs; nowMs += 200) {
        const aheadMs = nowMs > leapAtMs ? leapMs : 0;
        expect(redisClock.observe(AHEAD + nowMs + aheadMs, nowMs, nowMs)).toBe('steady');
        expect(redisClock.nowMs()).toBe(AHEAD + nowMs);
        system.stall(200);
      }
    }),
  );
});

it('does not take a long way for a leap', () => {
  const { clock } = createFakeSystem();
  const redisClock = createRedisClock(clock);
  redisClock.observe(AHEAD, 0, 0);
  expect(redisClock.observe(AHEAD + 60_000, 0, 60_000)).toBe('steady');
});

it('forgets the clock of the process before', () => {
  const { clock } = createFakeSystem();
  const redisClock = createRedisClock(clock);
  redisClock.observe(AHEAD, 0, 0);
  redisClock.forget();
  expect(redisClock.observe(AHEAD + 3_600_000, 0, 0)).toBe('steady');
  expect(redisClock.nowMs()).toBe(AHEAD + 3_600_000);
});
