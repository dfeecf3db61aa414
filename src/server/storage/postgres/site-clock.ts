import { PERMIT_MS } from '#server/deadlines.ts';
import { numeral, RAW_MS, type Row } from './message-pool.ts';
import type { Clock } from '#server/system.ts';

/** The tables and what is in them: servers that differ in this may not run side by side. */
export const LAYOUT = 1;
/** Its numbers of the standing are higher than those before: by then a thousand a second would have been counted. */
export const BEGIN_PACE = `insert into pace values (true, 0, (${RAW_MS})::bigint, 0, 0, ${LAYOUT}) on conflict do nothing`;
export const LOOK_AT_PACE = `select ${RAW_MS} as raw, shift, layout from pace where one`;

/** `doubtMs`: it may have been read so much sooner or later. */
type Sight = Readonly<Record<'rawMs' | 'shiftMs' | 'atMs' | 'doubtMs', number>>;

const SLOW_MS = 250;
const ROUNDING_MS = 20;
/** Two clocks that are kept drift apart by less than this share. */
const DRIFT = 0.001;

/** More than two looks at one clock can differ: a token that is free too soon would be turned away. */
const hasJumped = (before: Sight, seen: Sight): boolean => {
  const passedMs = seen.atMs - before.atMs;
  const expectedMs = before.rawMs + before.shiftMs + passedMs;
  const mayDifferMs = before.doubtMs + seen.doubtMs + ROUNDING_MS + DRIFT * passedMs;
  return Math.abs(seen.rawMs + seen.shiftMs - expectedMs) > mayDifferMs;
};

/** All servers of a site go by one clock: PostgreSQL's, plus a shift that makes up for its jumps. */
export const createSiteClock = (clock: Clock) => {
  let sight: Sight | null = null;

  const rawAt = (atMs: number): number => (sight === null ? Number.NaN : sight.rawMs + atMs - sight.atMs);
  const nowMs = (): number => rawAt(clock.monotonicMs()) + (sight?.shiftMs ?? 0);
  const timely = (raw = RAW_MS): string =>
    `abs(${raw} - ${numeral(rawAt(clock.monotonicMs()))}) <= ${PERMIT_MS}`;

  return {
    nowMs,
    isKnown: () => sight !== null,
    timely,
    /** False if the clock has jumped and no shift makes up for it, or the answer is from before that shift. */
    see: ({ raw, shift }: Row, sentMs: number): boolean => {
      const receivedMs = clock.monotonicMs();
      const atMs = (sentMs + receivedMs) / 2;
      const doubtMs = receivedMs - atMs;
      const seen: Sight = { rawMs: Number(raw), shiftMs: Number(shift), atMs, doubtMs };
      if (sight !== null && hasJumped(sight, seen)) return false;
      const isNew = sight === null || sight.shiftMs !== seen.shiftMs;
      if (isNew || receivedMs - sentMs <= SLOW_MS) sight = seen;
      return true;
    },
    /** Time goes on where it was, unless another server has dated something later: then this one has slept. */
    correction: (): string => {
      const expected = numeral(nowMs());
      return `update pace set shift = ${expected} - ${RAW_MS}, beat = ${expected}
        where one and shift = ${numeral(sight?.shiftMs ?? 0)} and beat <= ${expected} + ${PERMIT_MS}`;
    },
    beat: (): string =>
      `update pace set beat = ${RAW_MS} + shift
       where one and shift = ${numeral(sight?.shiftMs ?? 0)} and ${timely()}`,
    forget: (): void => {
      sight = null;
    },
  };
};
