import { describe, expect, it } from 'vitest';
import { addDoubt, addVerdict, NO_SUSPICION, type Suspicion } from './suspicion.ts';

/** So many refusals, so many milliseconds apart; and whether the last made all tokens suspects. */
const afterDoubts = (doubts: number, everyMs: number) => {
  let suspicion = NO_SUSPICION;
  const masses: number[] = [];
  for (let n = 0; n < doubts; n += 1) {
    const { next, isMass } = addDoubt(suspicion, n * everyMs);
    suspicion = next;
    if (isMass) masses.push(n);
  }
  return { suspicion, masses };
};

const waitsAfter = (start: Suspicion, verdicts: ('dead' | 'unclear' | 'alive')[]) => {
  let suspicion = start;
  return verdicts.map((verdict) => {
    const nowMs = suspicion.nextMs;
    suspicion = addVerdict(suspicion, verdict, nowMs);
    return suspicion.nextMs - nowMs;
  });
};

describe('suspicion', () => {
  it('falls on all when twenty tokens are refused within a minute, not when they are one by one', () => {
    expect(afterDoubts(100, 3_200).masses).toEqual([]);
    expect(afterDoubts(20, 1).masses).toEqual([19]);
  });

  it.each([
    ['few suspects one right after the other', 1, ['dead', 'dead', 'alive', 'dead'], [0, 0, 0, 0]],
    [
      'many further and further apart while they are dead, and at once after a live one',
      20,
      ['dead', 'dead', 'dead', 'dead', 'dead', 'dead', 'dead', 'alive', 'dead'],
      [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 0, 2_000],
    ],
    [
      'again later, and ever later, while there is no plain answer',
      1,
      ['unclear', 'unclear', 'unclear'],
      [2_000, 4_000, 8_000],
    ],
  ] as const)('checks %s', (_, doubts, verdicts, waits) => {
    expect(waitsAfter(afterDoubts(doubts, 0).suspicion, [...verdicts])).toEqual(waits);
  });
});
