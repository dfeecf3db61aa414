import { expect, it } from 'vitest';
import { FLIGHT_MS } from '#server/deadlines.ts';
import {
  addDoubt,
  addVerdict,
  beginCheck,
  checkAt,
  holdAfter,
  NO_SUSPICION,
  type Suspicion,
} from './suspicion.ts';

/** So many refusals, so many milliseconds apart; and whether the last made all tokens suspects. */
const afterDoubts = (doubts: number, everyMs: number) => {
  let suspicion = NO_SUSPICION;
  const masses: number[] = [];
  for (let n = 0; n < doubts; n += 1) {
    suspicion = addDoubt(suspicion, 'doubtsMs', n * everyMs);
    if (suspicion.doubtsMs.length === 0) masses.push(n);
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

it('suspicion falls on all when twenty tokens are refused within a minute, not when they are one by one', () => {
  expect(afterDoubts(100, 3_200).masses).toEqual([]);
  expect(afterDoubts(20, 1).masses).toEqual([19]);
});

it('suspicion holds the checks back for longer each time that it falls on all again', () => {
  const start = 1_800_000_000_000;
  let suspicion = NO_SUSPICION;
  const waits = [0, 1, 2, 3, 4, 5, 6].map((minute) => {
    const nowMs = start + minute * 60_000;
    for (let n = 0; n < 20; n += 1) suspicion = addDoubt(suspicion, 'doubtsMs', nowMs);
    return suspicion.nextMs - nowMs;
  });
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

it('suspicion checks further and further apart while nobody is vouched for, and at once after one who is', () => {
  const verdicts = ['dead', 'unclear', 'dead', 'dead', 'dead', 'alive', 'dead'] as const;
  expect(waitsAfter(NO_SUSPICION, [...verdicts])).toEqual([2_000, 4_000, 8_000, 10_000, 10_000, 0, 2_000]);
});

it('a suspect is checked while no other is, unless the server that does it has died', () => {
  const waiting = { ...NO_SUSPICION, nextMs: 500 };
  expect(checkAt(waiting, 100)).toBe(500);
  const checking = beginCheck(waiting, 1_000);
  expect(checkAt(checking, 1_000 + FLIGHT_MS - 1)).toBe(Infinity);
  expect(checkAt(checking, 1_000 + FLIGHT_MS)).toBe(500);
  for (const verdict of ['alive', 'dead', 'unclear'] as const)
    expect(addVerdict(checking, verdict, 2_000)).toMatchObject({ checkUntilMs: 0, doubtsMs: [] });
});

const HOUR_MS = 3_600_000;

/** Refused whenever it is asked, from 0 on: when it was asked, in hours, and whether it is retired in the end. */
const askUntil = (endMs: number) => {
  let heldMs: number | null = null;
  const hours: number[] = [];
  for (let nowMs = 0; nowMs <= endMs;) {
    hours.push(nowMs / HOUR_MS);
    const hold = holdAfter(heldMs, 'dead', nowMs);
    if (hold === null) return { hours, isRetired: true };
    ({ heldMs } = hold);
    nowMs = hold.checkMs;
  }
  return { hours, isRetired: false };
};

it('a token on hold is asked about within seconds, then minutes, an hour, six hours', () => {
  const { hours } = askUntil(72 * HOUR_MS);
  const distanceAt = (hour: number): number => {
    const index = hours.findIndex((asked) => asked >= hour);
    return Math.round(((hours[index + 1] ?? 0) - (hours[index] ?? 0)) * 3_600);
  };
  expect([0, 0.01, 0.05, 1, 24].map(distanceAt)).toEqual([5, 40, 320, 360, 360]);
  expect([26, 40].map(distanceAt)).toEqual([3_600, 3_600]);
  expect(distanceAt(49)).toBe(6 * 3_600);
});

it('a token on hold is retired by a refusal after three days, and not before', () => {
  const { hours, isRetired } = askUntil(100 * HOUR_MS);
  expect([isRetired, hours.at(-1)]).toEqual([true, expect.toSatisfy((hour) => hour >= 72 && hour < 78)]);
  expect(askUntil(72 * HOUR_MS - 1).isRetired).toBe(false);
});

it('a token on hold is back in use at once when the platform vouches for it', () => {
  expect(holdAfter(null, 'dead', 50)).toEqual({ heldMs: 50, checkMs: 5_050 });
  expect(holdAfter(50, 'alive', 5_000)).toEqual({ heldMs: null, checkMs: 5_000 });
});

it('a token on hold is not retired by answers that say nothing about it', () => {
  expect(holdAfter(0, 'unclear', 200 * HOUR_MS)).toEqual({ heldMs: 0, checkMs: 206 * HOUR_MS });
});
