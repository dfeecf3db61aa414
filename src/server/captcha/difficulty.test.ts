import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { difficultyFactor, HIGHEST_DIFFICULTY_FACTOR } from './captcha.ts';

it.each([
  [0, 1],
  [0.05, 1],
  [0.49, 1],
  [0.5, 2],
  [0.79, 2],
  [0.8, 4],
  [1, 4],
])('pressure %s makes it %s times as hard', (pressure, factor) =>
  expect(difficultyFactor(pressure)).toBe(factor),
);

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
