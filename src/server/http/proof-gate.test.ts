import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createCaptcha } from '#server/captcha/captcha.ts';
import { createSpentProofs } from '#server/captcha/spent-proofs.ts';
import { createEvents } from '#server/observability/events.ts';
import { createDailySecret } from '#server/visitors/daily-secret.ts';
import { createVisitorCounters } from '#server/visitors/visitor-counters.ts';
import {
  createVisitorLimits,
  visitorAllowances,
  type VisitorAction,
} from '#server/visitors/visitor-limits.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { createProofGate } from './proof-gate.ts';

const ALICE = '198.51.100.7';
/** A small fraction of the real number, so that few requests fill them. */
const SLOTS = 2 ** 10;
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = () => {
  const system = createFakeSystem();
  const counters = createVisitorCounters({ clock: system.clock, slotsPerLimit: SLOTS });
  const captcha = createCaptcha({
    system,
    spentProofs: createSpentProofs({ system, counters }),
    ttlSeconds: 300,
    maxNumber: 1,
  });
  const gate = createProofGate({
    captcha,
    visitors: createVisitorLimits({
      dailySecret: createDailySecret(system),
      counters,
      allowances: visitorAllowances(rates),
    }),
    events: createEvents({ logger: pino({ enabled: false }), clock: system.clock }),
    // A request is nothing but its address here.
    addressOf: (request) => request as unknown as string,
  });
  const solve = async (): Promise<string> => encodeProof(solveChallenge(await captcha.issue(0)));
  /** What becomes of it: `passed`, or the code of the refusal. */
  const post = (address: string, action: VisitorAction, proof: string): Promise<string> =>
    gate.passProof(address as unknown as FastifyRequest, action, proof).then(
      () => 'passed',
      (error: Error) => error.message,
    );
  const postMany = async (count: number, address: (n: number) => string, action: VisitorAction) => {
    const outcomes = new Map<string, number>();
    for (let n = 0; n < count; n += 1) {
      const outcome = await post(address(n), action, await solve());
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    return Object.fromEntries(outcomes);
  };
  return { system, solve, post, postMany };
};

/** An address in each /48 of 2001:db8::/32. */
const ofOneProvider = (n: number): string => `2001:db8:${(n & 0xffff).toString(16)}:${n >> 16}::1`;
const unrelated = (n: number): string => `${1 + (n >> 8)}.${n & 0xff}.0.1`;

describe('a proof that is not accepted', { tags: 'slow' }, () => {
  it.each(['donation', 'withdrawal'] as const)(
    'refuses no %s of anybody, however often it comes from a whole IPv6 /32',
    async (action) => {
      const { post, postMany } = setUp();
      for (let n = 0; n < 20 * SLOTS; n += 1) await post(ofOneProvider(n), action, 'garbage');
      expect(await postMany(2_000, unrelated, action)).toEqual({ passed: 2_000 });
    },
  );

  it('costs not even its sender anything, so that nobody behind the same address pays', async () => {
    const { system, solve, post } = setUp();
    const [used, late] = [await solve(), await solve()];
    expect(await post('192.0.2.1', 'donation', used)).toBe('passed');
    for (let n = 0; n < 100; n += 1) {
      expect(await post(ALICE, 'donation', 'garbage')).toBe('proof-invalid');
      expect(await post(ALICE, 'donation', used)).toBe('proof-used');
    }
    await system.advance(301_000);
    for (let n = 0; n < 100; n += 1) expect(await post(ALICE, 'donation', late)).toBe('proof-expired');
    for (let n = 0; n < 3; n += 1) expect(await post(ALICE, 'donation', await solve())).toBe('passed');
    expect(await post(ALICE, 'donation', await solve())).toBe('visitor-limit');
  });
});

describe('a proof that is accepted', () => {
  it('is not spent on a visitor who is over the limit', async () => {
    const { system, solve, post, postMany } = setUp();
    await postMany(3, () => ALICE, 'donation');
    const proof = await solve();
    expect(await post(ALICE, 'donation', proof)).toBe('visitor-limit');
    expect(await post(ALICE, 'donation', 'garbage')).toBe('visitor-limit');
    expect(await post('192.0.2.1', 'donation', proof)).toBe('passed');
    await system.advance(20 * 60_000);
    expect(await post(ALICE, 'donation', await solve())).toBe('passed');
  });

  it('does not let more through at once than one after the other', async () => {
    const { solve, post } = setUp();
    const proofs = await Promise.all(Array.from({ length: 50 }, solve));
    const outcomes = await Promise.all(proofs.map((proof) => post(ALICE, 'donation', proof)));
    expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(3);
  });
});
