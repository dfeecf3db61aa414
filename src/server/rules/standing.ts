import { FLIGHT_MS } from '#server/deadlines.ts';
import { MAX_WAIT_MS, type Endpoint, type PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Random } from '#server/system.ts';
import { NO_SUSPICION, type Suspicion } from './suspicion.ts';

/** After `untilMs`, single requests probe whether it is over; once it is, `untilMs` is 0. */
type Ban = { readonly sinceMs: number; readonly untilMs: number; readonly probeUntilMs: number };

export type InvalidCell = { readonly startMs: number; readonly count: number };

/** Survives JSON; replaced, never changed. */
export type Standing = {
  readonly bans: Readonly<Partial<Record<Endpoint, Ban>>>;
  readonly invalid: readonly InvalidCell[];
  readonly suspicion: Suspicion;
};

export const NEW_STANDING: Standing = { bans: {}, invalid: [], suspicion: NO_SUSPICION };

/** In ten minutes. The platform bans our address after 10,000 (401, 403, and 429 unless shared). */
export const INVALID_REQUEST_LIMIT = 500;
export const TOKEN_CHECK_LIMIT = INVALID_REQUEST_LIMIT / 2;
const WINDOW_MS = 600_000;
const CELL_MS = 10_000;
const COUNTED_MS = CELL_MS + WINDOW_MS;

const BAN_PAUSE_MS = 600_000;
const MIN_BAN_PAUSE_MS = 60_000;
/** With all of the jitter. A ban that is longer is from a wrong clock. */
const LONGEST_BAN_MS = Math.ceil(1.1 * MAX_WAIT_MS) + 1;

const isCounted = ({ startMs }: InvalidCell, nowMs: number): boolean =>
  startMs + COUNTED_MS > nowMs && startMs <= nowMs + CELL_MS;

export const addInvalid = (cells: readonly InvalidCell[], nowMs: number): InvalidCell[] => {
  const counted = cells.filter((cell) => isCounted(cell, nowMs));
  const last = counted.at(-1);
  if (last === undefined || nowMs - last.startMs >= CELL_MS)
    return [...counted, { startMs: nowMs, count: 1 }];
  return [...counted.slice(0, -1), { ...last, count: last.count + 1 }];
};

type Counted = readonly { readonly invalid: readonly InvalidCell[] }[];

export const countInvalid = (standings: Counted, nowMs: number): number => {
  let total = 0;
  for (const { invalid } of standings)
    for (const cell of invalid) if (isCounted(cell, nowMs)) total += cell.count;
  return total;
};

export const invalidFreeAt = (
  standings: Counted,
  nowMs: number,
  { limit, pending }: { readonly limit: number; readonly pending: number },
): number => {
  let excess = countInvalid(standings, nowMs) + pending + 1 - limit;
  if (excess <= 0) return -Infinity;
  const cells = standings.flatMap(({ invalid }) => invalid);
  for (const cell of cells.toSorted((one, other) => one.startMs - other.startMs)) {
    if (isCounted(cell, nowMs)) excess -= cell.count;
    if (excess <= 0) return cell.startMs + COUNTED_MS;
  }
  return Infinity;
};

const banOf = (standings: readonly Standing[], endpoint: Endpoint, nowMs: number): Ban | undefined => {
  let newest: Ban | undefined;
  for (const { bans } of standings) {
    const ban = bans[endpoint];
    if (ban !== undefined && (newest === undefined || ban.sinceMs > newest.sinceMs)) newest = ban;
  }
  return newest === undefined || newest.untilMs === 0 || newest.untilMs > nowMs + LONGEST_BAN_MS
    ? undefined
    : newest;
};

export const isOver = (standing: Standing, nowMs: number): boolean =>
  countInvalid([standing], nowMs) === 0 &&
  Object.values(standing.bans).every(({ untilMs }) => untilMs <= nowMs);

/** `atMs` is -Infinity while the endpoint may be called, Infinity while an answer in flight decides. */
export type Gate = { readonly atMs: number; readonly cause: 'banned' | 'invalid-requests' };

/** A ban of lookups stops everything: nearly all requests are lookups, so it probably concerns our address. */
export const gateOf = (
  standings: readonly Standing[],
  endpoint: Endpoint,
  { nowMs, inFlight, limit }: Readonly<Record<'nowMs' | 'inFlight' | 'limit', number>>,
): Gate => {
  const own = banOf(standings, endpoint, nowMs);
  const ofLookups = endpoint === 'getUser' ? own : banOf(standings, 'getUser', nowMs);
  const bannedMs = Math.max(
    ofLookups?.untilMs ?? -Infinity,
    own === undefined ? -Infinity : own.probeUntilMs > nowMs ? Infinity : own.untilMs,
  );
  if (bannedMs > nowMs) return { atMs: bannedMs, cause: 'banned' };
  const atMs = invalidFreeAt(standings, nowMs, { limit, pending: inFlight });
  return { atMs, cause: 'invalid-requests' };
};

export type Standings = readonly [own: Standing, ...others: Standing[]];

export const beginProbe = (standings: Standings, endpoint: Endpoint, nowMs: number): Standing => {
  const [own] = standings;
  const ban = banOf(standings, endpoint, nowMs);
  if (ban === undefined) return own;
  return { ...own, bans: { ...own.bans, [endpoint]: { ...ban, probeUntilMs: nowMs + FLIGHT_MS } } };
};

/** `answer` is null if the request was never made. */
export type Settled = {
  readonly endpoint: Endpoint;
  readonly isProbe: boolean;
  readonly answer: PlatformAnswer<unknown> | null;
  readonly nowMs: number;
};

export const settleStanding = (standings: Standings, settled: Settled, random: Random): Standing => {
  const [own] = standings;
  const { endpoint, isProbe, answer, nowMs } = settled;
  const ban = banAfter(banOf(standings, endpoint, nowMs), settled, random);
  const isInvalidAnswer = answer !== null && isInvalid(answer);
  if (ban === undefined && !isInvalidAnswer && !isProbe) return own;
  return {
    ...own,
    bans: ban === undefined ? own.bans : { ...own.bans, [endpoint]: ban },
    invalid: isInvalidAnswer ? addInvalid(own.invalid, nowMs) : own.invalid,
  };
};

const banAfter = (
  before: Ban | undefined,
  { isProbe, answer, nowMs }: Settled,
  random: Random,
): Ban | undefined => {
  if (answer?.kind === 'blocked') {
    const untilMs = nowMs + banPauseMs(answer.retryAfterMs, random);
    return { sinceMs: nowMs, untilMs: Math.max(before?.untilMs ?? 0, untilMs), probeUntilMs: 0 };
  }
  if (!isProbe || before === undefined) return undefined;
  const isOver = answer !== null && answer.kind !== 'failed';
  return { ...before, probeUntilMs: 0, ...(isOver && { sinceMs: nowMs, untilMs: 0 }) };
};

/** With jitter, so that several servers behind one address do not probe at once. */
const banPauseMs = (retryAfterMs: number | null, random: Random): number => {
  const pauseMs = Math.max(retryAfterMs ?? BAN_PAUSE_MS, MIN_BAN_PAUSE_MS);
  return pauseMs + random.integer(Math.ceil(pauseMs / 10) + 1);
};

const isInvalid = (answer: PlatformAnswer<unknown>): boolean =>
  answer.kind === 'unauthorized' ||
  answer.kind === 'forbidden' ||
  answer.kind === 'blocked' ||
  (answer.kind === 'failed' && answer.reason === 'status' && answer.status === 401) ||
  (answer.kind === 'rate-limited' && answer.scope !== 'shared');
