import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createScarcity, nextScarcity } from './lease-queue.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const elapsedMs = fc.double({ min: 0, max: 1e7, noNaN: true });

it('goes towards the shortage and never beyond', () => {
  fc.assert(
    fc.property(share, share, elapsedMs, (before, shortage, ms) => {
      const after = nextScarcity(before, shortage, ms);
      expect(after).toBeGreaterThanOrEqual(Math.min(before, shortage));
      expect(after).toBeLessThanOrEqual(Math.max(before, shortage));
    }),
  );
});

it('never falls as the shortage or the scarcity before it rises', () => {
  fc.assert(
    fc.property(share, share, share, elapsedMs, (one, other, fixed, ms) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      expect(nextScarcity(fixed, low, ms)).toBeLessThanOrEqual(nextScarcity(fixed, high, ms));
      expect(nextScarcity(low, fixed, ms)).toBeLessThanOrEqual(nextScarcity(high, fixed, ms));
    }),
  );
});

it('is there within seconds, and gone after two minutes', async () => {
  const { clock, advance } = createFakeSystem();
  let shortage = 1;
  const scarcity = createScarcity(clock, () => shortage);
  expect(scarcity()).toBe(0);
  for (const expected of [0.5, 1, 1]) {
    await advance(1_000);
    expect(scarcity()).toBe(expected);
  }
  shortage = 0;
  await advance(60_000);
  expect(scarcity()).toBe(0.5);
  await advance(60_000);
  expect(scarcity()).toBe(0);
});

it('does not take a time that nobody looked at for a shortage', async () => {
  const { clock, advance } = createFakeSystem();
  const scarcity = createScarcity(clock, () => 1);
  await advance(3_600_000);
  expect(scarcity()).toBe(0.5);
});
