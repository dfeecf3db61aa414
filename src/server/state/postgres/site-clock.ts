import { PERMIT_MS } from '#server/deadlines.ts';
import { numeral, type Row } from '#server/storage/postgres/message-pool.ts';
import type { Clock } from '#server/system.ts';

/** PostgreSQL's own clock, in milliseconds. */
export const RAW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** What PostgreSQL's clock, and the shift that turns it into the site's time, were at a time of our own clock. */
type Sight = { readonly rawMs: number; readonly shiftMs: number; readonly atMs: number };

/** An answer that took longer tells too little about the time. */
const SLOW_MS = 250;

/**
 * All servers of a site go by one clock: PostgreSQL's, plus a shift that makes up for its jumps. A server that has seen
 * it once knows what it should say.
 */
export const createSiteClock = (clock: Clock) => {
  let sight: Sight | null = null;

  const rawAt = (atMs: number): number => (sight === null ? Number.NaN : sight.rawMs + atMs - sight.atMs);
  const nowMs = (): number => rawAt(clock.monotonicMs()) + (sight?.shiftMs ?? 0);
  /** True while PostgreSQL's clock is what this server expects: a statement that comes late does nothing. */
  const timely = (raw = RAW_MS): string =>
    `abs(${raw} - ${numeral(rawAt(clock.monotonicMs()))}) <= ${PERMIT_MS}`;

  return {
    nowMs,
    isKnown: () => sight !== null,
    timely,
    /**
     * What PostgreSQL said in answer to a message sent at `sentMs`. False if its clock has jumped and no shift makes up
     * for it, or the answer is from before that shift.
     */
    see: ({ raw, shift }: Row, sentMs: number): boolean => {
      const receivedMs = clock.monotonicMs();
      const atMs = (sentMs + receivedMs) / 2;
      const seen: Sight = { rawMs: Number(raw), shiftMs: Number(shift), atMs };
      const expectedMs = sight === null ? seen.rawMs + seen.shiftMs : rawAt(atMs) + sight.shiftMs;
      if (Math.abs(seen.rawMs + seen.shiftMs - expectedMs) > PERMIT_MS) return false;
      const isNew = sight === null || sight.shiftMs !== seen.shiftMs;
      if (isNew || receivedMs - sentMs <= SLOW_MS) sight = seen;
      return true;
    },
    /**
     * After a jump: time goes on where it was, so nothing is refilled or forgotten. Unless somebody has dated something
     * later than it is here: then this server has slept, and PostgreSQL's clock is right.
     */
    correction: (): string => {
      const expected = numeral(nowMs());
      return `update pace set shift = ${expected} - ${RAW_MS}, beat = ${expected}
        where one and shift = ${numeral(sight?.shiftMs ?? 0)} and beat <= ${expected} + ${PERMIT_MS}`;
    },
    /** Shows the others that the clock is right. */
    beat: (): string =>
      `update pace set beat = ${RAW_MS} + shift
       where one and shift = ${numeral(sight?.shiftMs ?? 0)} and ${timely()}`,
    forget: (): void => {
      sight = null;
    },
  };
};
