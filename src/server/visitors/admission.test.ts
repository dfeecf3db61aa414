import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createEvents } from '#server/observability/events.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { createAdmission } from './admission.ts';
import { CHALLENGE_MS, createSpentProofs, issueChallenge as issue, type SpentProofs } from './captcha.ts';
import { createVisitorLimits, type VisitorAction } from './limits.ts';

const ALICE = '198.51.100.7';
const BOB = '192.0.2.1';
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (scarcity = 0, spend?: SpentProofs['spend']) => {
  const system = createFakeSystem();
  const { clock, random } = system;
  const proofs = createSpentProofs(system);
  const { redeem, issueChallenge } = createAdmission({
    system,
    proofs: { ...proofs, ...(spend && { spend }) },
    visitors: createVisitorLimits(system, rates),
    maxNumber: 1,
    scarcity: () => scarcity,
    events: createEvents(pino({ enabled: false })),
  });
  const solve = (): string => {
    const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
    const key = proofs.issuingKey(expiresAtMs);
    if (key === undefined) throw new Error('There is no key.');
    return encodeProof(
      solveChallenge(issue(random, { key: key.secret, maxNumber: 1, work: 1, expiresAtMs })),
    );
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
  const dear = encodeProof(solveChallenge(issueChallenge(ALICE)));
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

it('proofs that PostgreSQL is being told about count already, and no longer once it has refused them', async () => {
  const answers: ((outcome: 'accepted' | 'used') => void)[] = [];
  const { post, solve } = setUp(0, () => new Promise((resolve) => answers.push(resolve)));
  const first = Array.from({ length: 20 }, () => post(ALICE, 'lookup', solve()));
  expect(answers).toHaveLength(8);
  for (const answer of answers.splice(0)) answer('used');
  expect((await Promise.all(first)).toSorted()).toEqual([
    ...Array<string>(8).fill('proof-used'),
    ...Array<string>(12).fill('visitor-limit'),
  ]);
  const later = Array.from({ length: 9 }, () => post(ALICE, 'lookup', solve()));
  for (const answer of answers) answer('accepted');
  expect((await Promise.all(later)).filter((outcome) => outcome === 'passed')).toHaveLength(8);
});
