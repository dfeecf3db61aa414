import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { Allowance, Counter, LimitDecision } from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';

const MINUTE = 60_000;
const counter = (name: string, allowance: Allowance): Counter => ({
  key: hash('sha256', name).slice(0, 32),
  allowances: [allowance],
});
const FREE = [counter('free', { count: 1e6, periodMs: 1_000, burst: 1e6 })];

describe('counters in memory', () => {
  const setUp = (allowance: Allowance, slots = 2 ** 10) => {
    let nowMs = 0;
    const system = createFakeSystem();
    const clock = { ...system.clock, monotonicMs: () => nowMs };
    const store = createMemoryAdmissionStore({ system: { ...system, clock }, slots });
    return {
      count: (key = 1) => store.count([counter(`${key}`, allowance)]) as LimitDecision,
      pass: (ms: number) => (nowMs += ms),
    };
  };

  it('never charge one for another, however many come; those who owe least are forgotten', () => {
    const { count } = setUp({ count: 3, periodMs: 1e9, burst: 3 }, 16);
    for (let use = 0; use < 3; use += 1) count(0);
    for (let key = 1; key < 10_000; key += 1) expect(count(key)).toEqual({ allowed: true, pressure: 1 / 3 });
    expect(count(0)).toMatchObject({ allowed: false });
  });

  const allowances = fc.record({
    count: fc.integer({ min: 1, max: 1_000 }),
    periodMs: fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000),
    burst: fc.integer({ min: 1, max: 50 }),
  });
  /** In intervals of the allowance, with a bias to none. */
  const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5, noNaN: true })), {
    minLength: 1,
    maxLength: 200,
  });

  it('never admit more than burst + rate · t in any span, always the burst, and keep their word', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, pausesInIntervals) => {
        const { count, pass } = setUp(allowance);
        const intervalMs = allowance.periodMs / allowance.count;
        for (let use = 0; use < allowance.burst; use += 1) expect(count(2)).toMatchObject({ allowed: true });
        const admitted: number[] = [];
        for (const pause of pausesInIntervals) {
          const decision = (pass(pause * intervalMs), count());
          const atMs = decision.allowed ? pass(0) : pass(decision.retryAfterMs);
          if (!decision.allowed) expect(count()).toMatchObject({ allowed: true });
          admitted.push(atMs);
        }
        for (const [first, fromMs] of admitted.entries())
          for (const [n, toMs] of admitted.slice(first).entries())
            expect(n + 1).toBeLessThanOrEqual(allowance.burst + (toMs - fromMs + 0.02) / intervalMs);
      }),
    );
  });
});

it('a memory that is full drops nothing to make room, and has room again once proofs have expired', async () => {
  const system = createFakeSystem();
  const store = createMemoryAdmissionStore({ system, capacity: 100 });
  const proofFor = (name: string) => ({
    challengeId: hash('sha256', name),
    keyId: store.issuingKey(system.clock.wallMs() + 5 * MINUTE)?.id ?? '',
  });
  const proofs = Array.from({ length: 100 }, (_, n) => proofFor(`${n}`));
  for (const proof of proofs) expect(store.redeem(FREE, proof)).toBe('accepted');
  expect(store.redeem(FREE, proofFor('one more'))).toBe('unavailable');
  for (const proof of proofs) expect(store.redeem(FREE, proof)).toBe('used');
  await system.advance(10 * MINUTE);
  expect(store.redeem(FREE, proofFor('one more'))).toBe('accepted');
});
