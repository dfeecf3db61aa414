import { expect, it } from 'vitest';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import type { LimitDecision } from '#server/state/admission-store.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createDailySecret, createVisitorLimits, type VisitorAction } from './visitor-limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DEFAULTS = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (rates = DEFAULTS) => {
  const system = createFakeSystem();
  const store = createMemoryAdmissionStore({ system });
  const visitors = createVisitorLimits(() => 'secret', rates);
  const count = (action: VisitorAction, address: string) =>
    store.count(visitors.visitOf(action, address).counters) as LimitDecision;
  const admitted = (action: VisitorAction, addresses: readonly string[]): number =>
    addresses.filter((address) => count(action, address).allowed).length;
  return { system, visitors, count, admitted };
};

const times = (count: number, address: string): string[] => Array(count).fill(address);

it.each([
  ['challenge', 20, 60, MINUTE],
  ['lookup', 8, 20, MINUTE],
  ['donation', 3, 3, HOUR],
  ['donation-attempt', 10, 10, HOUR],
  ['withdrawal', 5, 5, HOUR],
  ['picture', 100, 300, MINUTE],
  ['picture-fetch', 30, 120, MINUTE],
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

it('the defaults count each action apart', () => {
  const { admitted } = setUp();
  admitted('donation', times(10, '192.0.2.1'));
  expect(admitted('lookup', ['192.0.2.1'])).toBe(1);
});

it('a visitor may do one thing at the lowest rates, and more as soon as they are changed', async () => {
  const { system, visitors, admitted } = setUp({
    challengesPerMinute: 1,
    lookupsPerMinute: 1,
    lookupsPerDay: 1,
  });
  for (const action of ['challenge', 'lookup'] as const)
    expect(admitted(action, times(2, '192.0.2.1'))).toBe(1);
  visitors.allow(DEFAULTS);
  await system.advance(MINUTE);
  expect(admitted('challenge', times(100, '192.0.2.1'))).toBe(20);
});

it('a visitor is half a digest, which another secret changes, and a number for the network', () => {
  const visitorsWith = (secret: string) => createVisitorLimits(() => secret, DEFAULTS);
  const visit = visitorsWith('secret').visitOf('lookup', '192.0.2.1');
  const keys = visit.counters.map(({ key }) => key);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  const changed = visitorsWith('another').visitOf('lookup', '192.0.2.1').counters;
  expect(new Set([...keys, ...changed.map(({ key }) => key)]).size).toBe(4);
  expect(visit.network).toSatisfy(Number.isSafeInteger);
  const networkOf = (address: string) => visitorsWith('secret').visitOf('lookup', address).network;
  expect(networkOf('192.0.2.99')).toBe(visit.network);
  expect(networkOf('192.0.3.1')).not.toBe(visit.network);
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

it('there is one secret for each day', () => {
  let nowMs = 20_000.5 * 86_400_000;
  const derived: number[] = [];
  const secret = createDailySecret(
    () => nowMs,
    (day) => `${derived.push(day)}: ${day}`,
  );
  expect([secret(), secret()]).toEqual(['1: 20000', '1: 20000']);
  nowMs += 43_200_000 - 1;
  expect(secret()).toBe('1: 20000');
  nowMs += 1;
  expect(secret()).toBe('2: 20001');
});
