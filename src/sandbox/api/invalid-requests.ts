import { getOrInsert } from '../get-or-insert.ts';

export type InvalidRequests = {
  readonly record: (clientIp: string, nowMs: number) => void;
  readonly isBanned: (clientIp: string, nowMs: number) => boolean;
  readonly liftBans: () => void;
};

type Tally = { cells: Map<number, number>; total: number; bannedUntilMs: number };

const CELL_MS = 10_000;
const CELLS = 60;
const BAN_MS = 3_600_000;

/** Counts 401, 403 and non-shared 429 per client address over ten minutes, and bans at the limit. */
export const createInvalidRequests = (limit: number): InvalidRequests => {
  const tallies = new Map<string, Tally>();

  const forgetOldCells = (tally: Tally, current: number): void => {
    for (const [cell, count] of tally.cells) {
      // Cells are kept in the order of time, so the first young one ends the search.
      if (cell > current - CELLS) return;
      tally.cells.delete(cell);
      tally.total -= count;
    }
  };

  return {
    record: (clientIp, nowMs) => {
      const unseen = (): Tally => ({ cells: new Map(), total: 0, bannedUntilMs: 0 });
      const tally = getOrInsert(tallies, clientIp, unseen);
      const cell = Math.floor(nowMs / CELL_MS);
      forgetOldCells(tally, cell);
      tally.cells.set(cell, (tally.cells.get(cell) ?? 0) + 1);
      tally.total += 1;
      if (tally.total >= limit) tally.bannedUntilMs = nowMs + BAN_MS;
    },
    isBanned: (clientIp, nowMs) => nowMs < (tallies.get(clientIp)?.bannedUntilMs ?? 0),
    liftBans: () => tallies.clear(),
  };
};
