import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createVisitorLimits, type VisitorAction } from './limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DEFAULTS = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (rates = DEFAULTS) => {
  const system = createFakeSystem();
  const visitors = createVisitorLimits(system, rates);
  const admitted = (action: VisitorAction, addresses: readonly string[]): number =>
    addresses.filter((address) => visitors.visitOf(action, address).take().waitMs === 0).length;
  return { system, visitors, admitted };
};

const times = (count: number, address: string): string[] => Array(count).fill(address);

it.each([
  ['challenge', 20, 60, MINUTE],
  ['lookup', 8, 20, MINUTE],
  ['donation', 3, 3, HOUR],
  ['donation-attempt', 10, 10, HOUR],
  ['withdrawal', 5, 5, HOUR],
  ['picture', 100, 300, MINUTE],
] as const)(
  'the defaults let a burst of %s through: %d, then %d times in %d ms',
  async (action, burst, count, periodMs) => {
    const { system, admitted } = setUp();
    expect(admitted(action, times(200, '192.0.2.1'))).toBe(burst);
    let total = 0;
    for (let step = 0; step < count; step += 1) {
      await system.advance(periodMs / count);
      total += admitted(action, times(5, '192.0.2.1'));
    }
    expect(total).toBe(count);
  },
);

it('the defaults allow one prefix no more than 300 lookups in a day, however it asks', async () => {
  const { system, admitted } = setUp();
  let total = 0;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    total += admitted('lookup', times(20, '192.0.2.1'));
    await system.advance(MINUTE);
  }
  expect(total).toBeGreaterThan(290);
  expect(total).toBeLessThanOrEqual(300);
});

it('a block of which many networks ask gets harder puzzles, but nobody in it is refused', () => {
  const { admitted, visitors } = setUp();
  const pressureAt = (address: string) => visitors.visitOf('challenge', address).assess().pressure;
  for (let n = 1; n <= 100; n += 1)
    for (const address of [`2001:db8:${n}::1`, `10.7.${n}.1`])
      expect(admitted('challenge', times(20, address))).toBe(20);
  expect(['2001:db8:ffff::1', '10.7.200.1'].map(pressureAt)).toEqual([1, 1]);
  expect(Math.max(...['2001:db9::1', '10.8.0.1'].map(pressureAt))).toBeLessThan(0.1);
});

it('a network gets 64 MiB of pictures at once and 30 a minute, and the site a gigabyte for all', async () => {
  const { system, visitors } = setUp();
  const waitMs = (address: string): number => visitors.pictureBytes(address).assess().waitMs;
  const fetchFrom = (address: string, mib: number) => visitors.pictureBytes(address).charge(mib * 2 ** 20);
  fetchFrom('192.0.2.1', 63);
  expect(waitMs('192.0.2.9')).toBe(0);
  fetchFrom('192.0.2.2', 31);
  expect(waitMs('192.0.2.9') / MINUTE).toBeCloseTo(1);
  expect(waitMs('192.0.3.1')).toBe(0);
  await system.advance(MINUTE + 1);
  expect(waitMs('192.0.2.9')).toBe(0);
  for (let n = 3; n < 20; n += 1) fetchFrom(`192.0.${n}.1`, 64);
  expect(waitMs('203.0.113.1')).toBeGreaterThan(0);
  await system.advance(5_000);
  expect(waitMs('203.0.113.1')).toBe(0);
});

it('a visitor may do one thing at the lowest rates', () => {
  const { admitted } = setUp({ challengesPerMinute: 1, lookupsPerMinute: 1, lookupsPerDay: 1 });
  for (const action of ['challenge', 'lookup'] as const)
    expect(admitted(action, times(2, '192.0.2.1'))).toBe(1);
});

it('each day a network gets another number, and nothing that was counted is kept', async () => {
  const { system, visitors } = setUp();
  await system.advance(24 * HOUR - 1);
  const visit = visitors.visitOf('withdrawal', '192.0.2.1');
  for (let n = 0; n < 5; n += 1) visit.take();
  expect(visit.assess().pressure).toBe(1);
  expect(visitors.visitOf('withdrawal', '192.0.2.99').network).toBe(visit.network);
  await system.advance(1);
  expect(visit.assess().pressure).toBe(1 / 5);
  expect(visitors.visitOf('withdrawal', '192.0.2.1').network).not.toBe(visit.network);
});

it('prefixes let a /48 and a /24 do eight times as much in all', async () => {
  const { system, admitted } = setUp();
  const ofOneSite = Array.from({ length: 5_000 }, (_, number) => `2001:db8:7:${number.toString(16)}::1`);
  expect(admitted('lookup', ofOneSite)).toBe(64);
  const ofOneBlock = Array.from({ length: 256 }, (_, number) => times(5, `192.0.2.${number}`)).flat();
  expect(admitted('lookup', ofOneBlock)).toBe(64);
  expect(admitted('donation', ofOneBlock)).toBe(24);
  await system.advance(HOUR / 24);
  expect(admitted('donation', ofOneBlock)).toBe(1);
});
