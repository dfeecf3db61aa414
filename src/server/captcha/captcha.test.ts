import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { createCaptcha, difficultyFactor } from './captcha.ts';
import { HIGHEST_DIFFICULTY_FACTOR } from './challenge.ts';

const setUp = () => {
  const system = createFakeSystem();
  const key = createSecretKey(system.random.bytes(32));
  return {
    system,
    captcha: createCaptcha({ system, signingKey: () => key, ttlSeconds: 300, maxNumber: 100 }),
  };
};

it('gives the challenge its lifetime', () => {
  const { system, captcha } = setUp();
  expect(captcha.issue(0).salt).toContain(`?expires=${system.clock.wallMs() / 1000 + 300}&`);
});

it('makes the puzzle harder by pressure, for that challenge only', () => {
  const { captcha } = setUp();
  expect([0, 0.5, 1, 0].map((pressure) => captcha.issue(pressure).maxnumber)).toEqual([100, 200, 400, 100]);
});

it.each([
  [0, 1],
  [0.5, 2],
  [1, 4],
])('verifies proofs of pressure %s and knows that they took %s times the work', (pressure, work) => {
  const { captcha } = setUp();
  for (let round = 0; round < 20; round += 1) {
    const proof = encodeProof(solveChallenge(captcha.issue(pressure)));
    expect(captcha.verify(proof)).toMatchObject({ kind: 'valid', work });
  }
});

describe('difficultyFactor', () => {
  it.each([
    [0, 1],
    [0.49, 1],
    [0.5, 2],
    [0.79, 2],
    [0.8, 4],
    [1, 4],
  ])('of pressure %s is %s', (pressure, factor) => expect(difficultyFactor(pressure)).toBe(factor));

  it('never falls as pressure rises, and never leaves its range', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map(difficultyFactor);
        expect(low).toBeGreaterThanOrEqual(1);
        expect(high).toBeGreaterThanOrEqual(low ?? 0);
        expect(high).toBeLessThanOrEqual(HIGHEST_DIFFICULTY_FACTOR);
      }),
    );
  });
});
