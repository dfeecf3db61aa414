import type { Clock } from '#server/system.ts';
import type { InvalidCell, InvalidRequestJournal } from './invalid-request-file.ts';

export type InvalidRequests = ReturnType<typeof createInvalidRequests>;

export type InvalidRequestsDeps = {
  readonly clock: Clock;
  readonly journal: InvalidRequestJournal;
  /** The count in memory still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed: () => void;
  readonly limit?: number;
};

/** This many in ten minutes stop everything; half of them stop the checks of donated tokens. */
export const INVALID_REQUEST_LIMIT = 500;
export const TOKEN_CHECK_LIMIT = INVALID_REQUEST_LIMIT / 2;

const WINDOW_MS = 600_000;
export const CELL_MS = 10_000;
/** How long an answer counts, from the start of its cell. */
export const COUNTED_MS = CELL_MS + WINDOW_MS;

type Cell = { startMs: number; count: number };

/** Counts what happened in the last ten minutes and tells when there is room below a limit again. */
export const createSlidingCount = (clock: Clock, saved: readonly InvalidCell[] = []) => {
  const wallOffsetMs = (): number => clock.wallMs() - clock.monotonicMs();
  let cells: Cell[] = restore(saved, clock);
  let total = cells.reduce((sum, cell) => sum + cell.count, 0);

  const forgetOld = (nowMs: number): void => {
    while (cells[0] !== undefined && cells[0].startMs + COUNTED_MS <= nowMs) {
      total -= cells[0].count;
      cells = cells.slice(1);
    }
  };

  return {
    add: (): void => {
      const nowMs = clock.monotonicMs();
      const last = cells.at(-1);
      if (last !== undefined && nowMs - last.startMs < CELL_MS) last.count += 1;
      else cells.push({ startMs: nowMs, count: 1 });
      total += 1;
      forgetOld(nowMs);
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
    cells: (): InvalidCell[] =>
      cells.map(({ startMs, count }) => ({ startWallMs: startMs + wallOffsetMs(), count })),
  };
};

/**
 * Counts answers that the platform holds against our address (401, 403, 429 unless shared), to stop long before it
 * would ban us: it bans at 10,000 in ten minutes.
 */
export const createInvalidRequests = (deps: InvalidRequestsDeps) => {
  const { clock, journal, onJournalFailed, limit = INVALID_REQUEST_LIMIT } = deps;
  const invalid = createSlidingCount(clock, journal.load());
  return {
    limit,
    record: (): void => {
      invalid.add();
      try {
        journal.save(invalid.cells());
      } catch {
        onJournalFailed();
      }
    },
    count: invalid.total,
    cells: invalid.cells,
    /** When another request may leave, given how many are in flight: each of them may turn out invalid. */
    freeAtMs: (nowMs: number, inFlight: number) => invalid.freeAtMs(nowMs, limit, inFlight),
  };
};

const restore = (saved: readonly InvalidCell[], clock: Clock): Cell[] => {
  const nowMs = clock.monotonicMs();
  const wallMs = clock.wallMs();
  return saved
    .map((cell) => ({ startMs: nowMs - Math.max(0, wallMs - cell.startWallMs), count: cell.count }))
    .toSorted((a, b) => a.startMs - b.startMs);
};
