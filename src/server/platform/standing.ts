import { FLIGHT_MS, MAX_WAIT_MS } from '#server/deadlines.ts';
import type { Endpoint, PlatformAnswer } from './wire/platform-answer.ts';
import { isLike } from '#server/storage/stored-record.ts';
import type { Random } from '#server/system.ts';
import { isRecord } from '#shared/json.ts';

/** After `untilMs`, single requests probe whether it is over; once it is, `untilMs` is 0. */
type Ban = { readonly sinceMs: number; readonly untilMs: number; readonly probeUntilMs: number };

export type InvalidCell = { readonly startMs: number; readonly count: number };

/** Survives JSON; replaced, never changed. */
export type Standing = {
  readonly bans: Readonly<Partial<Record<Endpoint, Ban>>>;
  readonly invalid: readonly InvalidCell[];
};

export const NEW_STANDING: Standing = { bans: {}, invalid: [] };

export const isStanding = (record: unknown): boolean => {
  const { bans, invalid } = isRecord(record) ? record : {};
  return (
    isRecord(bans) &&
    Object.values(bans).every((ban) => isLike(ban, { sinceMs: 0, untilMs: 0, probeUntilMs: 0 })) &&
    Array.isArray(invalid) &&
    invalid.every((cell) => isLike(cell, { startMs: 0, count: 0 }))
  );
};

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

export const countInvalid = (cells: readonly InvalidCell[], nowMs: number): number =>
  cells.reduce((total, cell) => total + (isCounted(cell, nowMs) ? cell.count : 0), 0);

export const invalidFreeAt = (
  cells: readonly InvalidCell[],
  nowMs: number,
  { limit, pending }: { readonly limit: number; readonly pending: number },
): number => {
  let excess = countInvalid(cells, nowMs) + pending + 1 - limit;
  if (excess <= 0) return -Infinity;
  for (const cell of cells) {
    if (isCounted(cell, nowMs)) excess -= cell.count;
    if (excess <= 0) return cell.startMs + COUNTED_MS;
  }
  return Infinity;
};

const banOf = ({ bans }: Standing, endpoint: Endpoint, nowMs: number): Ban | undefined => {
  const ban = bans[endpoint];
  return ban === undefined || ban.untilMs === 0 || ban.untilMs > nowMs + LONGEST_BAN_MS ? undefined : ban;
};

/** `atMs` is -Infinity while the endpoint may be called, Infinity while an answer in flight decides. */
export type Gate = { readonly atMs: number; readonly cause: 'banned' | 'invalid-requests' };

/** A ban of lookups stops everything: nearly all requests are lookups, so it probably concerns our address. */
export const gateOf = (
  standing: Standing,
  endpoint: Endpoint,
  { nowMs, inFlight, limit }: Readonly<Record<'nowMs' | 'inFlight' | 'limit', number>>,
): Gate => {
  const own = banOf(standing, endpoint, nowMs);
  const ofLookups = endpoint === 'getUser' ? own : banOf(standing, 'getUser', nowMs);
  const bannedMs = Math.max(
    ofLookups?.untilMs ?? -Infinity,
    own === undefined ? -Infinity : own.probeUntilMs > nowMs ? Infinity : own.untilMs,
  );
  if (bannedMs > nowMs) return { atMs: bannedMs, cause: 'banned' };
  const atMs = invalidFreeAt(standing.invalid, nowMs, { limit, pending: inFlight });
  return { atMs, cause: 'invalid-requests' };
};

export const beginProbe = (standing: Standing, endpoint: Endpoint, nowMs: number): Standing => {
  const ban = banOf(standing, endpoint, nowMs);
  if (ban === undefined) return standing;
  return { ...standing, bans: { ...standing.bans, [endpoint]: { ...ban, probeUntilMs: nowMs + FLIGHT_MS } } };
};

/** `answer` is null if the request was never made. */
export type Settled = {
  readonly endpoint: Endpoint;
  readonly isProbe: boolean;
  readonly answer: PlatformAnswer<unknown> | null;
  readonly nowMs: number;
};

export const settleStanding = (standing: Standing, settled: Settled, random: Random): Standing => {
  const { endpoint, isProbe, answer, nowMs } = settled;
  const ban = banAfter(banOf(standing, endpoint, nowMs), settled, random);
  const isInvalidAnswer = answer !== null && isInvalid(answer);
  if (ban === undefined && !isInvalidAnswer && !isProbe) return standing;
  return {
    bans: ban === undefined ? standing.bans : { ...standing.bans, [endpoint]: ban },
    invalid: isInvalidAnswer ? addInvalid(standing.invalid, nowMs) : standing.invalid,
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
