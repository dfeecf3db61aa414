import { expect, it } from 'vitest';
import { FLIGHT_MS, MAX_WAIT_MS } from '#server/deadlines.ts';
import type { PlatformAnswer } from './wire/platform-answer.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import {
  addInvalid,
  beginProbe,
  countInvalid,
  gateOf,
  invalidFreeAt,
  NEW_STANDING,
  settleStanding,
  type InvalidCell,
  type Settled,
  type Standing,
} from './standing.ts';

const COUNTED_MS = 610_000;
const { random } = createFakeSystem({ drawsZero: true });
const mostRandom = { ...random, integer: (exclusiveMax: number) => exclusiveMax - 1 };

const withCells = (...invalid: InvalidCell[]): Standing => ({ ...NEW_STANDING, invalid });
const settle = (own: Standing, settled: Partial<Settled>, source = random): Standing =>
  settleStanding(
    own,
    { endpoint: 'getUser', isProbe: false, answer: null, nowMs: 1_000, ...settled },
    source,
  );
const blocked = (retryAfterMs: number | null = null) => ({ kind: 'blocked', retryAfterMs }) as const;
const gate = (standing: Standing, nowMs: number, endpoint: Settled['endpoint'] = 'getUser') =>
  gateOf(standing, endpoint, { nowMs, inFlight: 0, limit: 500 });
const FREE = { atMs: -Infinity, cause: 'invalid-requests' };

it('invalid requests are counted in cells of ten seconds, and forgotten ten minutes after the last of a cell', () => {
  const first = addInvalid([], 100_000);
  expect(addInvalid(first, 109_999)).toEqual([{ startMs: 100_000, count: 2 }]);
  const second = addInvalid(addInvalid(first, 110_000), 110_001);
  expect(second).toEqual([...first, { startMs: 110_000, count: 2 }]);
  expect(addInvalid(first, 100_000 + COUNTED_MS)).toEqual([{ startMs: 100_000 + COUNTED_MS, count: 1 }]);
  const counts = [-10_001, -10_000, COUNTED_MS - 1, COUNTED_MS].map((ageMs) =>
    countInvalid([...first, { startMs: 100_000, count: 5 }], 100_000 + ageMs),
  );
  expect(counts).toEqual([0, 6, 6, 0]);
});

it('invalid requests hold the next one back until the oldest cells that make it one too many are forgotten', () => {
  const cells = [
    { startMs: 50, count: 1 },
    { startMs: 100, count: 2 },
  ];
  const freeAt = (limit: number, pending: number) => invalidFreeAt(cells, 1_000, { limit, pending });
  expect([freeAt(4, 0), freeAt(3, 0), freeAt(4, 1), freeAt(4, 2), freeAt(4, 3), freeAt(0, 0)]).toEqual([
    -Infinity,
    50 + COUNTED_MS,
    50 + COUNTED_MS,
    100 + COUNTED_MS,
    100 + COUNTED_MS,
    Infinity,
  ]);
  const withOld = withCells({ startMs: 50, count: 9 }, { startMs: 650_000, count: 1 });
  expect(invalidFreeAt(withOld.invalid, 700_000, { limit: 1, pending: 0 })).toBe(650_000 + COUNTED_MS);
  expect(gateOf(withOld, 'getInvite', { nowMs: 700_000, inFlight: 1, limit: 2 })).toEqual({
    atMs: 650_000 + COUNTED_MS,
    cause: 'invalid-requests',
  });
});

it.each<[PlatformAnswer<unknown>, boolean]>([
  [{ kind: 'unauthorized' }, true],
  [{ kind: 'forbidden' }, true],
  [blocked(), true],
  [{ kind: 'failed', reason: 'status', status: 401 }, true],
  [{ kind: 'rate-limited', scope: 'user', retryAfterMs: 1, reading: null }, true],
  [{ kind: 'rate-limited', scope: 'global', retryAfterMs: 1, reading: null }, true],
  [{ kind: 'rate-limited', scope: 'shared', retryAfterMs: 1, reading: null }, false],
  [{ kind: 'failed', reason: 'status', status: 500 }, false],
  [{ kind: 'failed', reason: 'timeout' }, false],
  [{ kind: 'foreign' }, false],
  [{ kind: 'not-found', reading: null }, false],
])('an answer %o makes its request an invalid one: %s', (answer, isInvalid) => {
  const before = withCells({ startMs: 900, count: 1 });
  const after = settle(before, { answer });
  expect(after.invalid).toEqual([{ startMs: 900, count: isInvalid ? 2 : 1 }]);
  if (!isInvalid) expect(after).toBe(before);
});

const banned = settle(NEW_STANDING, { answer: blocked() });
const over = { sinceMs: 2_000, untilMs: 0, probeUntilMs: 0 };

it('a ban lasts as long as the platform says, at least a minute, else ten, and up to a tenth longer', () => {
  const untilMs = (retryAfterMs: number | null, source = random) =>
    settle(NEW_STANDING, { answer: blocked(retryAfterMs) }, source).bans.getUser?.untilMs;
  expect([untilMs(null), untilMs(1), untilMs(700_001)]).toEqual([601_000, 61_000, 701_001]);
  expect([untilMs(null, mostRandom), untilMs(700_001, mostRandom)]).toEqual([661_000, 771_002]);
});

it('a ban is not shortened by a second one', () => {
  const long = settle(NEW_STANDING, { answer: blocked(900_000) });
  const again = settle(long, { answer: blocked(), nowMs: 2_000 });
  expect(again.bans).toEqual({ getUser: { sinceMs: 2_000, untilMs: 901_000, probeUntilMs: 0 } });
});

it('a ban of lookups stops everything, another only what it is of', () => {
  for (const endpoint of ['getUser', 'getInvite'] as const) {
    expect(gate(banned, 600_999, endpoint)).toEqual({ atMs: 601_000, cause: 'banned' });
    expect(gate(banned, 601_000, endpoint)).toEqual(FREE);
  }
  const ofInvites = settle(banned, { answer: blocked(1), endpoint: 'getInvite', nowMs: 590_000 });
  expect(ofInvites.bans.getUser).toEqual(banned.bans.getUser);
  expect(gate(ofInvites, 600_000, 'getInvite').atMs).toBe(650_000);
  expect(gate(ofInvites, 620_000, 'getInvite').atMs).toBe(650_000);
  expect(gate(ofInvites, 620_000)).toEqual(FREE);
});

it('a ban is over when one request has probed it, and only one goes at a time', () => {
  const probing = beginProbe(banned, 'getUser', 601_000);
  expect(probing).toEqual({
    ...banned,
    bans: { getUser: { sinceMs: 1_000, untilMs: 601_000, probeUntilMs: 601_000 + FLIGHT_MS } },
  });
  expect(gate(probing, 601_001)).toEqual({ atMs: Infinity, cause: 'banned' });
  expect(gate(probing, 601_001, 'getInvite')).toEqual(FREE);
  expect(gate(probing, 601_000 + FLIGHT_MS)).toEqual(FREE);
  const probed = (answer: PlatformAnswer<unknown> | null) =>
    settle(probing, { isProbe: true, answer, nowMs: 601_100 }).bans.getUser;
  expect(probed({ kind: 'not-found', reading: null })).toEqual({ ...over, sinceMs: 601_100 });
  for (const answer of [{ kind: 'failed', reason: 'timeout' } as const, null])
    expect(probed(answer)).toEqual({ sinceMs: 1_000, untilMs: 601_000, probeUntilMs: 0 });
  expect(beginProbe(NEW_STANDING, 'getUser', 1_000)).toBe(NEW_STANDING);
  expect(settle(NEW_STANDING, { isProbe: true })).toEqual(NEW_STANDING);
  expect(settle(banned, { answer: { kind: 'not-found', reading: null } })).toBe(banned);
});

it('a ban that is longer than any can be is from a wrong clock', () => {
  const longest = settle(NEW_STANDING, { answer: blocked(MAX_WAIT_MS) }, mostRandom);
  expect(gate(longest, 1_000)).toMatchObject({ cause: 'banned' });
  expect(gate(settle(NEW_STANDING, { answer: blocked(2 * MAX_WAIT_MS) }), 1_000)).toEqual(FREE);
});
