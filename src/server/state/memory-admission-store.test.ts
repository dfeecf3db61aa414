import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { Allowance, Counter } from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';

const MINUTE = 60_000;
const counter = (name: string, allowance: Allowance): Counter => ({
  key: hash('sha256', name).slice(0, 32),
  allowances: [allowance],
});
const FREE = [counter('free', { count: 1e6, periodMs: 1_000, burst: 1e6 })];

it('counters in memory never charge one for another; when there are too many, those who owe least are forgotten', () => {
  const store = createMemoryAdmissionStore({ system: createFakeSystem(), slots: 16 });
  const count = (key: number) => store.count([counter(`${key}`, { count: 3, periodMs: 1e9, burst: 3 })]);
  for (let use = 0; use < 3; use += 1) void count(0);
  for (let key = 1; key < 1_000; key += 1) expect(count(key)).toEqual({ allowed: true, pressure: 1 / 3 });
  expect(count(0)).toMatchObject({ allowed: false });
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
