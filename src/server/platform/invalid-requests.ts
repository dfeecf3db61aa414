import type { Clock } from '#server/system.ts';

/**
 * So many answers that the platform holds against our address (401, 403, 429 unless shared) in ten minutes stop
 * everything, long before it would ban us at 10,000; half of them stop the checks of donated tokens.
 */
export const INVALID_REQUEST_LIMIT = 500;
export const TOKEN_CHECK_LIMIT = INVALID_REQUEST_LIMIT / 2;

const WINDOW_MS = 600_000;
export const CELL_MS = 10_000;
/** How long an answer counts, from the start of its cell. */
export const COUNTED_MS = CELL_MS + WINDOW_MS;

type Cell = { startMs: number; count: number };

/** Counts what happened in the last ten minutes and tells when there is room below a limit again. */
export const createSlidingCount = (clock: Clock) => {
  const wallOffsetMs = (): number => clock.wallMs() - clock.monotonicMs();
  let cells: Cell[] = [];
  let total = 0;

  const forgetOld = (nowMs: number): void => {
    while (cells[0] !== undefined && cells[0].startMs + COUNTED_MS <= nowMs) {
      total -= cells[0].count;
      cells = cells.slice(1);
    }
  };

  return {
    /** One that is older than the last counts with the last. */
    add: (atMs = clock.monotonicMs()): void => {
      const last = cells.at(-1);
      if (last !== undefined && atMs - last.startMs < CELL_MS) last.count += 1;
      else cells.push({ startMs: atMs, count: 1 });
      total += 1;
      forgetOld(clock.monotonicMs());
    },
    total: (): number => {
      forgetOld(clock.monotonicMs());
      return total;
    },
    /** When one more would stay within `limit`, given how many are `pending`: each of them may still be added. */
    freeAtMs: (nowMs: number, limit: number, pending: number): number => {
      forgetOld(nowMs);
      let excess = total + pending + 1 - limit;
      if (excess <= 0) return -Infinity;
      for (const cell of cells) {
        excess -= cell.count;
        if (excess <= 0) return cell.startMs + COUNTED_MS;
      }
      return Infinity;
    },
    /** By wall clock. */
    cells: () => cells.map(({ startMs, count }) => ({ startWallMs: startMs + wallOffsetMs(), count })),
  };
};
