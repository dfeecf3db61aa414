import { describe, expect, it } from 'vitest';
import { createVisitorCounters } from '#server/visitors/visitor-counters.ts';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { createCaptcha } from './captcha.ts';
import { createSpentProofs, type SpentProofs } from './spent-proofs.ts';

const TTL_SECONDS = 300;

type Options = {
  readonly system?: FakeSystem;
  readonly capacity?: number;
  readonly change?: Partial<SpentProofs>;
};

const setUp = ({ system = createFakeSystem(), capacity = 1_000, change }: Options = {}) => {
  const counters = createVisitorCounters({ clock: system.clock });
  const spentProofs = { ...createSpentProofs({ system, counters, capacity }), ...change };
  const options = { system, spentProofs, ttlSeconds: TTL_SECONDS, maxNumber: 100 };
  const { issue, redeem } = createCaptcha(options);
  const captcha = { issue, redeem: (proof: string) => redeem(proof, []) };
  const freshProof = async () => encodeProof(solveChallenge(await captcha.issue(0)));
  return { system, captcha, freshProof };
};

describe('issue', () => {
  it('gives the challenge its lifetime', async () => {
    const { system, captcha } = setUp();
    const { salt } = await captcha.issue(0);
    expect(salt).toContain(`?expires=${system.clock.wallMs() / 1000 + TTL_SECONDS}&`);
  });

  it('makes the puzzle harder by pressure, for that challenge only', async () => {
    const { captcha } = setUp();
    const maxNumbers = [];
    for (const pressure of [0, 0.5, 1, 0]) maxNumbers.push((await captcha.issue(pressure)).maxnumber);
    expect(maxNumbers).toEqual([100, 200, 400, 100]);
  });

  it('accepts proofs of the hardest step', async () => {
    const { captcha } = setUp();
    for (let round = 0; round < 20; round += 1) {
      expect(await captcha.redeem(encodeProof(solveChallenge(await captcha.issue(1))))).toBe('accepted');
    }
  });
});

describe('redeem', () => {
  it('accepts one of 200 parallel uses of one proof', async () => {
    const { captcha, freshProof } = setUp();
    const proof = await freshProof();
    const answers = await Promise.all(Array.from({ length: 200 }, () => captcha.redeem(proof)));
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'used')).toHaveLength(199);
  });

  it('spends a proof once, however long took says it lasted', async () => {
    const { captcha } = setUp();
    const solved = solveChallenge(await captcha.issue(0));
    const spellings = Array.from({ length: 25 }, (_, took) => encodeProof({ ...solved, took }));
    const answers = await Promise.all(spellings.flatMap((proof) => Array(8).fill(proof)).map(captcha.redeem));
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
  });

  it('accepts until the last moment and says expired after it', async () => {
    const { system, captcha, freshProof } = setUp();
    const [early, late] = [await freshProof(), await freshProof()];
    await system.advance(TTL_SECONDS * 1000 - 1);
    expect(await captcha.redeem(early)).toBe('accepted');
    await system.advance(1);
    expect(await captcha.redeem(late)).toBe('expired');
    expect(await captcha.redeem(early)).toBe('expired');
  });

  it('refuses proofs of another memory, as after a restart', async () => {
    const elsewhere = setUp({ system: createFakeSystem({ seed: 2 }) });
    const proof = await elsewhere.freshProof();
    expect(await setUp().captcha.redeem(proof)).toBe('invalid');
    expect(await elsewhere.captcha.redeem(proof)).toBe('accepted');
  });

  it('leaves no trace of invalid proofs in memory', async () => {
    const { captcha, freshProof } = setUp({ capacity: 1 });
    const solved = solveChallenge(await captcha.issue(0));
    for (let guess = 0; guess < 100; guess += 1) {
      if (guess !== solved.number) await captcha.redeem(encodeProof({ ...solved, number: guess }));
    }
    expect(await captcha.redeem(await freshProof())).toBe('accepted');
  });

  it('is unavailable, not open, when its memory is full', async () => {
    const full = setUp({ capacity: 1 });
    expect(await full.captcha.redeem(await full.freshProof())).toBe('accepted');
    expect(await full.captcha.redeem(await full.freshProof())).toBe('unavailable');
  });
});

describe('a wall clock set back', () => {
  it.each([5, 60, 300, 340, 360, 660, 3_600])('by %d s never revives a used proof', async (seconds) => {
    for (const restSeconds of [1, 299, 301, 341, 700, 4_000]) {
      const { system, captcha, freshProof } = setUp();
      const proof = await freshProof();
      expect(await captcha.redeem(proof)).toBe('accepted');
      await system.advance(restSeconds * 1000);
      // Other traffic, so that there is reason to forget.
      for (let round = 0; round < 3; round += 1) await captcha.redeem(await freshProof());
      system.skewWall(-seconds * 1000);
      expect(await captcha.redeem(proof)).not.toBe('accepted');
    }
  });

  it('does not revive it in small steps either', async () => {
    const { system, captcha, freshProof } = setUp();
    const proof = await freshProof();
    await captcha.redeem(proof);
    for (let step = 0; step < 200; step += 1) {
      await system.advance(5_000);
      system.skewWall(-5_000);
      expect(await captcha.redeem(await freshProof())).toBe('accepted');
      expect(await captcha.redeem(proof)).not.toBe('accepted');
    }
  });
});
