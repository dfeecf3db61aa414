import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
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
/** A small fraction of the real number, so that few requests fill them. */
const SLOTS = 2 ** 10;
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const setUp = (scarcity = 0) => {
  const system = createFakeSystem();
  const { clock, random } = system;
  const store = createMemoryAdmissionStore({ system, slots: SLOTS });
  const { redeem, issueChallenge } = createAdmission({
    system,
    admissions: store,
    visitors: createVisitorLimits(() => 'secret', rates),
    maxNumber: 1,
    scarcity: () => scarcity,
    events: createEvents(pino({ enabled: false })),
  });
  const solved = () => {
    const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
    const key = store.issuingKey(expiresAtMs);
    if (key === undefined) throw new Error('There is no key.');
    return solveChallenge(issue(random, { key: key.secret, maxNumber: 1, expiresAtMs }));
  };
  const solve = (): string => encodeProof(solved());
  /** What becomes of it: `passed`, or the code of the refusal. */
  const post = (address: string, action: VisitorAction, proof: string): Promise<string> =>
    redeem(proof, action, address).then(
      () => 'passed',
      (error: Error) => error.message,
    );
  const postMany = async (count: number, address: (n: number) => string, action: VisitorAction) => {
    const outcomes = new Map<string, number>();
    for (let n = 0; n < count; n += 1) {
      const outcome = await post(address(n), action, solve());
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    return Object.fromEntries(outcomes);
  };
  return { system, redeem, issueChallenge, solved, solve, post, postMany };
};

/** An address in each /48 of 2001:db8::/32. */
const ofOneProvider = (n: number): string => `2001:db8:${(n & 0xffff).toString(16)}:${n >> 16}::1`;
const unrelated = (n: number): string => `${1 + (n >> 8)}.${n & 0xff}.0.1`;

describe('a challenge', () => {
  it('becomes harder for a visitor who asks for many, until there are no more for a while', async () => {
    const { issueChallenge, system } = setUp();
    const maxNumbers: number[] = [];
    for (let n = 0; n < 20; n += 1) maxNumbers.push((await issueChallenge(ALICE)).maxnumber);
    expect(maxNumbers).toEqual([...Array(9).fill(1), ...Array(6).fill(2), ...Array(5).fill(4)]);
    await expect(issueChallenge(ALICE)).rejects.toMatchObject({ code: 'visitor-limit', retryAfterMs: 1_000 });
    expect((await issueChallenge(BOB)).maxnumber).toBe(1);
    await system.advance(60_000);
    expect((await issueChallenge(ALICE)).maxnumber).toBe(1);
  });

  it.each([
    [0.5, 2],
    [1, 4],
  ])('becomes harder for all while tokens are scarce (%s), to the same bound', async (scarcity, times) => {
    const { issueChallenge } = setUp(scarcity);
    const maxNumbers: number[] = [];
    for (let n = 0; n < 20; n += 1) maxNumbers.push((await issueChallenge(ALICE)).maxnumber);
    expect([maxNumbers[0], maxNumbers.at(-1)]).toEqual([times, 4]);
    expect((await issueChallenge(BOB)).maxnumber).toBe(times);
  });
});

it('gives a ticket that tells networks apart, not the addresses of one, and the work of the proof', async () => {
  const { redeem, issueChallenge, solve } = setUp(1);
  const dear = encodeProof(solveChallenge(await issueChallenge(ALICE)));
  const alice = await redeem(dear, 'lookup', '192.0.2.1');
  const neighbour = await redeem(solve(), 'lookup', '192.0.2.200');
  const stranger = await redeem(solve(), 'lookup', '198.51.100.1');
  expect([alice.work, neighbour.work]).toEqual([4, 1]);
  expect(neighbour.network).toBe(alice.network);
  expect(stranger.network).not.toBe(alice.network);
});

describe('a proof that is not accepted', { tags: 'slow' }, () => {
  it.each(['donation', 'withdrawal'] as const)(
    'refuses no %s of anybody, however often it comes from a whole IPv6 /32',
    async (action) => {
      const { post, postMany } = setUp();
      for (let n = 0; n < 5 * SLOTS; n += 1) await post(ofOneProvider(n), action, 'garbage');
      expect(await postMany(500, unrelated, action)).toEqual({ passed: 500 });
    },
  );

  it('costs not even its sender anything, so that nobody behind the same address pays', async () => {
    const { system, solve, post } = setUp();
    const [used, late] = [solve(), solve()];
    expect(await post(BOB, 'donation', used)).toBe('passed');
    for (let n = 0; n < 100; n += 1) {
      expect(await post(ALICE, 'donation', 'garbage')).toBe('proof-invalid');
      expect(await post(ALICE, 'donation', used)).toBe('proof-used');
    }
    await system.advance(CHALLENGE_MS + 1_000);
    for (let n = 0; n < 100; n += 1) expect(await post(ALICE, 'donation', late)).toBe('proof-expired');
    for (let n = 0; n < 3; n += 1) expect(await post(ALICE, 'donation', solve())).toBe('passed');
    expect(await post(ALICE, 'donation', solve())).toBe('visitor-limit');
    expect(await post(ALICE, 'donation', 'garbage')).toBe('visitor-limit');
  });
});

describe('a wall clock set back', () => {
  it.each([5, 60, 300, 340, 360, 660, 3_600])('by %d s never revives a used proof', async (seconds) => {
    for (const restSeconds of [1, 299, 301, 341, 700, 4_000]) {
      const { system, solve, post, postMany } = setUp();
      const proof = solve();
      expect(await post(ALICE, 'lookup', proof)).toBe('passed');
      await system.advance(restSeconds * 1000);
      // Other traffic, so that there is reason to forget.
      await postMany(3, unrelated, 'lookup');
      system.skewWall(-seconds * 1000);
      expect(await post(BOB, 'lookup', proof)).not.toBe('passed');
    }
  });

  it('does not revive it in small steps either', async () => {
    const { system, solve, post } = setUp();
    const proof = solve();
    await post(ALICE, 'lookup', proof);
    for (let step = 0; step < 200; step += 1) {
      await system.advance(5_000);
      system.skewWall(-5_000);
      expect(await post(unrelated(step), 'lookup', solve())).toBe('passed');
      expect(await post(BOB, 'lookup', proof)).not.toBe('passed');
    }
  });
});
