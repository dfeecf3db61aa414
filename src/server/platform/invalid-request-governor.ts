import type { InvalidCell, InvalidRequestJournal } from './invalid-request-file.ts';
import type { Clock } from '#server/system.ts';

/**
 * Counts answers that the platform holds against our address (401, 403, 429 unless shared) and stops us long
 * before it would ban us: it bans at 10,000 in ten minutes.
 */
export type InvalidRequestGovernor = {
  /** This many in ten minutes stop us. */
  readonly hardLimit: number;
  readonly record: () => void;
  readonly count: () => number;
  /** When a further request may go, given how many are under way: each of them may turn out invalid. */
  readonly freeAtMs: (nowMs: number, inFlight: number) => number;
};

export type GovernorDeps = {
  readonly clock: Clock;
  readonly journal: InvalidRequestJournal;
  readonly hardLimit?: number;
};

const WINDOW_MS = 600_000;
const CELL_MS = 10_000;

type Cell = { startMs: number; count: number };

export const createInvalidRequestGovernor = (deps: GovernorDeps): InvalidRequestGovernor => {
  const { clock, journal, hardLimit = 500 } = deps;
  const wallOffsetMs = (): number => clock.wallMs() - clock.monotonicMs();
  let cells: Cell[] = restore(journal.load(), clock);
  let total = cells.reduce((sum, cell) => sum + cell.count, 0);

  const forgetOld = (nowMs: number): void => {
    while (cells[0] !== undefined && cells[0].startMs + CELL_MS + WINDOW_MS <= nowMs) {
      total -= cells[0].count;
      cells = cells.slice(1);
    }
  };

  const record = (): void => {
    const nowMs = clock.monotonicMs();
    const last = cells.at(-1);
    if (last !== undefined && nowMs - last.startMs < CELL_MS) last.count += 1;
    else cells.push({ startMs: nowMs, count: 1 });
    total += 1;
    forgetOld(nowMs);
    journal.save(cells.map((cell) => ({ startWallMs: cell.startMs + wallOffsetMs(), count: cell.count })));
  };

  const freeAtMs = (nowMs: number, inFlight: number): number => {
    forgetOld(nowMs);
    let excess = total + inFlight + 1 - hardLimit;
    if (excess <= 0) return -Infinity;
    for (const cell of cells) {
      excess -= cell.count;
      if (excess <= 0) return cell.startMs + CELL_MS + WINDOW_MS;
    }
    return Infinity;
  };

  return {
    hardLimit,
    record,
    count: () => {
      forgetOld(clock.monotonicMs());
      return total;
    },
    freeAtMs,
  };
};

const restore = (saved: readonly InvalidCell[], clock: Clock): Cell[] => {
  const nowMs = clock.monotonicMs();
  const wallMs = clock.wallMs();
  return saved
    .map((cell) => ({ startMs: nowMs - Math.max(0, wallMs - cell.startWallMs), count: cell.count }))
    .toSorted((a, b) => a.startMs - b.startMs);
};
