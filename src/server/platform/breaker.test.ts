import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

const create = () => createBreaker({ failures: 3, withinMs: 1_000, firstPauseMs: 100, maxPauseMs: 400 });
const fail = (breaker: ReturnType<typeof create>, ...times: number[]) =>
  times.forEach((nowMs) => breaker.settled('failure', nowMs, false));

describe('createBreaker', () => {
  it('trips after a run of failures', () => {
    const breaker = create();
    fail(breaker, 0, 10);
    expect(breaker.freeAtMs()).toBe(-Infinity);
    fail(breaker, 20);
    expect(breaker.freeAtMs()).toBe(120);
  });

  it('does not trip when a success comes between, or when failures are rare', () => {
    const breaker = create();
    fail(breaker, 0, 10);
    breaker.settled('success', 15, false);
    fail(breaker, 20, 30);
    expect(breaker.freeAtMs()).toBe(-Infinity);
    fail(breaker, 2_000, 4_000, 6_000);
    expect(breaker.freeAtMs()).toBe(-Infinity);
  });

  it('lets one probe through at a time, further and further apart, until one succeeds', () => {
    const breaker = create();
    fail(breaker, 0, 0, 0);
    for (const [sentMs, nextMs] of [
      [100, 300],
      [300, 700],
      [700, 1_100],
    ] as const) {
      const isProbe = breaker.sent();
      expect([isProbe, breaker.freeAtMs()]).toEqual([true, Infinity]);
      breaker.settled('failure', sentMs, isProbe);
      expect(breaker.freeAtMs()).toBe(nextMs);
    }
    breaker.settled('success', 1_100, breaker.sent());
    expect([breaker.freeAtMs(), breaker.sent()]).toEqual([-Infinity, false]);
  });

  it('does not count failures of requests sent before it tripped as probes', () => {
    const breaker = create();
    fail(breaker, 0, 0, 0, 50, 60);
    expect(breaker.freeAtMs()).toBe(100);
  });

  it('lets nothing but the probe settle the probe', () => {
    const breaker = create();
    fail(breaker, 0, 0, 0);
    const isProbe = breaker.sent();
    fail(breaker, 110, 120, 130);
    breaker.settled('success', 140, false);
    breaker.released(false);
    expect(breaker.freeAtMs()).toBe(Infinity);
    breaker.settled('success', 150, isProbe);
    expect(breaker.freeAtMs()).toBe(-Infinity);
  });
});
