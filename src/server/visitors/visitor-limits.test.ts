import { describe, expect, it } from 'vitest';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import type { LimitDecision } from '#server/state/admission-store.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createDailySecret, createVisitorLimits, type VisitorAction } from './visitor-limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DEFAULTS = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (rates = DEFAULTS, slots = 2 ** 17) => {
  const system = createFakeSystem();
  const store = createMemoryAdmissionStore({ system, slots });
  const visitors = createVisitorLimits(() => 'secret', rates);
  const count = (action: VisitorAction, address: string) =>
    store.count(visitors.visitOf(action, address).counters) as LimitDecision;
  const admitted = (action: VisitorAction, addresses: readonly string[]): number =>
    addresses.filter((address) => count(action, address).allowed).length;
  return { system, count, admitted };
};

const times = (count: number, address: string): string[] => Array(count).fill(address);
const host = (number: number): string => `${(number >> 8).toString(16)}:${number.toString(16)}`;

describe('defaults', () => {
  it.each([
    ['challenge', 20],
    ['lookup', 8],
    ['donation', 3],
    ['donation-attempt', 10],
  ] as const)('let a burst of %s through: %d', (action, burst) => {
    const { admitted } = setUp();
    expect(admitted(action, times(100, '192.0.2.1'))).toBe(burst);
  });

  it.each([
    ['challenge', 60, MINUTE],
    ['lookup', 20, MINUTE],
    ['donation', 3, HOUR],
  ] as const)('then allow %s %d times in %d ms', async (action, count, periodMs) => {
    const { system, admitted } = setUp();
    admitted(action, times(100, '192.0.2.1'));
    let total = 0;
    for (let step = 0; step < count; step += 1) {
      await system.advance(periodMs / count);
      total += admitted(action, times(5, '192.0.2.1'));
    }
    expect(total).toBe(count);
  });

  it('allow one prefix no more than 300 lookups in a day, however it asks', async () => {
    const { system, admitted } = setUp();
    let total = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      total += admitted('lookup', times(20, '192.0.2.1'));
      await system.advance(MINUTE);
    }
    expect(total).toBeGreaterThan(290);
    expect(total).toBeLessThanOrEqual(300);
  });

  it('count each action apart', () => {
    const { admitted } = setUp();
    admitted('donation', times(10, '192.0.2.1'));
    expect(admitted('lookup', ['192.0.2.1'])).toBe(1);
  });

  it('report pressure and the time to wait', () => {
    const { count } = setUp();
    expect(count('donation', '192.0.2.1')).toEqual({ allowed: true, pressure: 1 / 3 });
    count('donation', '192.0.2.1');
    expect(count('donation', '192.0.2.1')).toEqual({ allowed: true, pressure: 1 });
    expect(count('donation', '192.0.2.1')).toEqual({ allowed: false, retryAfterMs: HOUR / 3 });
  });
});

describe('prefixes', () => {
  it('make 10,000 addresses of one /64 one visitor', () => {
    const { admitted } = setUp();
    const addresses = Array.from({ length: 10_000 }, (_, number) => `2001:db8:0:1:${host(number)}::1`);
    expect(new Set(addresses).size).toBe(10_000);
    expect(admitted('lookup', addresses)).toBe(8);
  });

  it('let a /48 and a /24 do eight times as much in all', () => {
    const { admitted } = setUp();
    const ofOneSite = Array.from({ length: 5_000 }, (_, number) => `2001:db8:7:${number.toString(16)}::1`);
    expect(admitted('lookup', ofOneSite)).toBe(64);
    const ofOneBlock = Array.from({ length: 256 }, (_, number) => times(5, `192.0.2.${number}`)).flat();
    expect(admitted('lookup', ofOneBlock)).toBe(64);
  });

  it('keep two IPv4 addresses two visitors when written as IPv6', () => {
    const { admitted } = setUp();
    expect(admitted('lookup', times(20, '::ffff:192.0.2.1'))).toBe(8);
    expect(admitted('lookup', times(20, '::ffff:198.51.100.1'))).toBe(8);
    expect(admitted('lookup', times(20, '192.0.2.1'))).toBe(0);
  });

  it('put everything that is no address into one visitor', () => {
    const { admitted } = setUp();
    expect(
      admitted(
        'lookup',
        Array.from({ length: 100 }, (_, number) => `junk ${number}`),
      ),
    ).toBe(8);
  });
});

describe('strangers', { tags: 'slow' }, () => {
  it.each(['challenge', 'lookup', 'picture', 'donation', 'donation-attempt', 'withdrawal'] as const)(
    'who use up what a whole IPv6 /32 may do take no %s from anybody else',
    (action) => {
      const { admitted } = setUp(DEFAULTS, 2 ** 8);
      const ofOneProvider = Array.from(
        { length: 3 * 2 ** 10 },
        (_, n) => `2001:db8:${(n % 2 ** 8).toString(16)}:${host(n >> 8)}::1`,
      );
      for (let round = 0; round < 10; round += 1) admitted(action, ofOneProvider);
      const others = Array.from({ length: 2_000 }, (_, n) => `${1 + (n >> 8)}.${n & 255}.0.1`);
      expect(admitted(action, others)).toBe(2_000);
    },
  );
});

it('takes the operator’s own allowances', async () => {
  const { system, admitted } = setUp({ ...DEFAULTS, challengesPerMinute: 1 });
  expect(admitted('challenge', times(10, '192.0.2.1'))).toBe(1);
  await system.advance(MINUTE);
  expect(admitted('challenge', times(10, '192.0.2.1'))).toBe(1);
});

describe('createDailySecret', () => {
  it('has one secret for each day', () => {
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
});
