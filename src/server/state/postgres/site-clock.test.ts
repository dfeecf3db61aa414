import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createSiteClock } from './site-clock.ts';

const LEAP_MS = 400_000;

it.each([LEAP_MS, -LEAP_MS])(
  'a leap by %i ms is made up for, and a late answer from before that changes nothing',
  (leapMs) => {
    const { clock } = createFakeSystem();
    const site = createSiteClock(clock);
    const see = (raw: number, shift: number): boolean => site.see({ raw, shift }, clock.monotonicMs());
    expect(see(1_000, 0)).toBe(true);
    expect(see(1_000 + leapMs, 0)).toBe(false);
    expect(see(1_000 + leapMs, -leapMs)).toBe(true);
    expect(site.nowMs()).toBe(1_000);
    expect(see(1_000 + leapMs, 0)).toBe(false);
    expect(site.nowMs()).toBe(1_000);
  },
);

it('a server that has slept believes what it is told once it has asked', () => {
  const { clock } = createFakeSystem();
  const site = createSiteClock(clock);
  site.see({ raw: 1_000, shift: 5 }, clock.monotonicMs());
  expect(site.see({ raw: 61_000, shift: 7 }, clock.monotonicMs())).toBe(false);
  site.forget();
  expect(site.see({ raw: 61_000, shift: 7 }, clock.monotonicMs())).toBe(true);
  expect(site.nowMs()).toBe(61_007);
});
