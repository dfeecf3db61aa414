import { pino } from 'pino';
import { expect, it } from 'vitest';
import { issueChallenge as issue } from '#server/captcha/captcha.ts';
import { createEvents } from '#server/observability/events.ts';
import { CHALLENGE_MS } from '#server/state/admission-store.ts';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import { createVisitorLimits, type VisitorAction } from '#server/visitors/visitor-limits.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { createAdmission } from './admission.ts';

const ALICE = '198.51.100.7';
const BOB = '192.0.2.1';
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (scarcity = 0) => {
  const system = createFakeSystem();
  const { clock, random } = system;
  const store = createMemoryAdmissionStore({ system });
  const { redeem, issueChallenge } = createAdmission({
    system,
    admissions: store,
    visitors: createVisitorLimits(() => 'secret', rates),
    maxNumber: 1,
    scarcity: () => scarcity,
    events: createEvents(pino({ enabled: false })),
  });
  const solve = (): string => {
    const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
    const key = store.issuingKey(expiresAtMs);
    if (key === undefined) throw new Error('There is no key.');
    return encodeProof(solveChallenge(issue(random, { key: key.secret, maxNumber: 1, expiresAtMs })));
  };
  /** What becomes of it: `passed`, or the code of the refusal. */
  const post = (address: string, action: VisitorAction, proof: string): Promise<string> =>
    redeem(proof, action, address).then(
      () => 'passed',
      (error: Error) => error.message,
    );
  return { system, redeem, issueChallenge, solve, post };
};
const unrelated = (n: number): string => `${1 + (n >> 8)}.${n & 0xff}.0.1`;

it('a visitor gets a ticket that tells networks apart, not the addresses of one, and the work of the proof', async () => {
  const { redeem, issueChallenge, solve } = setUp(1);
  const dear = encodeProof(solveChallenge(await issueChallenge(ALICE)));
  const alice = await redeem(dear, 'lookup', '192.0.2.1');
  const neighbour = await redeem(solve(), 'lookup', '192.0.2.200');
  const stranger = await redeem(solve(), 'lookup', '198.51.100.1');
  expect([alice.work, neighbour.work]).toEqual([4, 1]);
  expect(neighbour.network).toBe(alice.network);
  expect(stranger.network).not.toBe(alice.network);
});

it('a wall clock set back revives no used proof, in one step or in small ones', async () => {
  for (const stepSeconds of [5, 60, 340, 3_600]) {
    const { system, solve, post } = setUp();
    const proof = solve();
    expect(await post(ALICE, 'lookup', proof)).toBe('passed');
    for (let passed = 0; passed < 1_000; passed += stepSeconds) {
      await system.advance(stepSeconds * 1_000);
      system.skewWall(-stepSeconds * 1_000);
      expect(await post(unrelated(passed), 'lookup', solve())).toBe('passed');
      expect(await post(BOB, 'lookup', proof)).not.toBe('passed');
    }
  }
});
