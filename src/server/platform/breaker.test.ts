import { expect, it } from 'vitest';
import { createBreaker } from './gate.ts';

const fail = (breaker: ReturnType<typeof createBreaker>, ...times: number[]) =>
  times.forEach((nowMs) => breaker.settled('failure', nowMs, false));

it('the breaker does not trip when a success comes between, or when failures are rare', () => {
  const breaker = createBreaker();
  fail(breaker, 0, 10, 20, 30);
  breaker.settled('success', 35, false);
  fail(breaker, 40, 50, 60, 70);
  expect(breaker.freeAtMs()).toBe(-Infinity);
  fail(breaker, 20_000, 31_000, 42_000, 53_000, 64_000);
  expect(breaker.freeAtMs()).toBe(-Infinity);
});

it('the breaker lets one probe through at a time, further and further apart, until one succeeds', () => {
  const breaker = createBreaker();
  fail(breaker, 0, 0, 0, 0, 0);
  for (const [sentMs, nextMs] of [
    [1_000, 3_000],
    [3_000, 7_000],
    [7_000, 15_000],
    [15_000, 31_000],
    [31_000, 61_000],
    [61_000, 91_000],
  ] as const) {
    const isProbe = breaker.sent();
    expect([isProbe, breaker.freeAtMs()]).toEqual([true, Infinity]);
    breaker.settled('failure', sentMs, isProbe);
    expect(breaker.freeAtMs()).toBe(nextMs);
  }
  breaker.settled('success', 91_000, breaker.sent());
  expect([breaker.freeAtMs(), breaker.sent()]).toEqual([-Infinity, false]);
});

it('the breaker lets nothing but the probe settle the probe', () => {
  const breaker = createBreaker();
  fail(breaker, 0, 0, 0, 0, 0);
  const isProbe = breaker.sent();
  fail(breaker, 1_010, 1_020, 1_030, 1_040, 1_050);
  breaker.settled('success', 1_060, false);
  breaker.settled('not-sent', 1_060, false);
  expect(breaker.freeAtMs()).toBe(Infinity);
  breaker.settled('success', 1_070, isProbe);
  expect(breaker.freeAtMs()).toBe(-Infinity);
});
