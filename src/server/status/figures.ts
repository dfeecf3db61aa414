import type { Database } from '#server/storage/database.ts';
import type { FigureRow } from '#server/storage/schema.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import { HOUR_MS, steadyClock, type Clock } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';

export type FigureStore = ReturnType<typeof createFigureStore>;

export const createFigureStore = (db: Database) => ({
  /** In the place of what it said before: nothing counts twice if it is told again. */
  put: (row: FigureRow) =>
    db
      .insertInto('figure')
      .values(row)
      .onConflict((conflict) => conflict.columns(['server', 'from_ms']).doUpdateSet(row))
      .execute(),
  since: (fromMs: number): Promise<FigureRow[]> =>
    db.selectFrom('figure').selectAll().where('from_ms', '>', fromMs).execute(),
  forget: (beforeMs: number) => db.deleteFrom('figure').where('from_ms', '<=', beforeMs).execute(),
});

export type FiguresDeps = {
  readonly clock: Clock;
  readonly figures: FigureStore;
  /** Its rows are nobody else's, so they can be stored whole, and twice. */
  readonly run: string;
  /** Those that are not in a row yet. */
  readonly lookups: Record<'served' | 'refused', number>;
  readonly healthyTokens: () => number;
  readonly onDefect: (error: unknown) => void;
};

type Hour = Omit<FigureRow, 'server'>;

/** The one that is not over yet is the last of them. */
const HOURS = 24;
const STORE_EVERY_MS = 5_000;
const COLUMNS = ['server', 'from_ms', 'served', 'refused', 'healthy'] as const;

/** What all servers have stored, and what this one has counted since. */
export const createFigures = (deps: FiguresDeps) => {
  const { clock, figures: store, run: server, lookups, healthyTokens, onDefect } = deps;
  // Steady, so that no leap of the clock moves a lookup into another hour.
  const nowMs = steadyClock(clock);
  let stored: readonly FigureRow[] = [];
  /** This run's, by their hour: the current one, and those that could not be stored yet. */
  const own = new Map<number, FigureRow>();
  let storeAtMs = -Infinity;

  const isStored = (row: FigureRow): boolean => stored.some((one) => COLUMNS.every((c) => one[c] === row[c]));

  const count = (): void => {
    const from_ms = hourOf(nowMs());
    const before = own.get(from_ms) ?? emptyHour(from_ms);
    own.set(from_ms, { server, ...plus(before, { ...lookups, healthy: healthyTokens() }) });
    Object.assign(lookups, { served: 0, refused: 0 });
  };
  const load = async (): Promise<void> => {
    stored = await store.since(hourOf(nowMs()) - HOURS * HOUR_MS);
  };
  const exchange = async (): Promise<void> => {
    count();
    for (const row of own.values()) if (!isStored(row)) await store.put(row);
    await load();
    const thisHourMs = hourOf(nowMs());
    for (const [from_ms, row] of own) {
      if (from_ms === thisHourMs || !isStored(row)) continue;
      own.delete(from_ms);
      await store.forget(thisHourMs - HOURS * HOUR_MS);
    }
  };
  const flush = (): Promise<void> =>
    exchange().catch((error: unknown) => {
      if (!isStorageFault(error)) onDefect(error);
    });
  const look = async (): Promise<void> => {
    count();
    if (clock.monotonicMs() < storeAtMs) return;
    storeAtMs = clock.monotonicMs() + STORE_EVERY_MS;
    await flush();
  };

  return {
    read: () => {
      count();
      const others = stored.filter((row) => row.server !== server || !own.has(row.from_ms));
      return summarize([...others, ...own.values()], nowMs());
    },
    load,
    /** Each second. */
    look,
    flush,
  };
};

const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;
const emptyHour = (from_ms: number): Hour => ({ from_ms, served: 0, refused: 0, healthy: 0 });

const plus = (hour: Hour, added: Omit<Hour, 'from_ms'>): Hour => ({
  from_ms: hour.from_ms,
  served: hour.served + added.served,
  refused: hour.refused + added.refused,
  healthy: Math.max(hour.healthy, added.healthy),
});

const summarize = (
  rows: readonly FigureRow[],
  nowMs: number,
): Pick<Status, 'lookups_last_hour' | 'last_24_hours' | 'updated_at'> => {
  const thisHourMs = hourOf(nowMs);
  const hours = new Map<number, Hour>();
  const at = (from_ms: number): Hour => hours.get(from_ms) ?? emptyHour(from_ms);
  for (const row of rows) hours.set(row.from_ms, plus(at(row.from_ms), row));
  const [now, before] = [at(thisHourMs), at(thisHourMs - HOUR_MS)];
  /** Of the hour before, as much as is not an hour ago: as if it had been even. */
  const share = 1 - (nowMs - thisHourMs) / HOUR_MS;
  return {
    lookups_last_hour: {
      served: now.served + Math.round(share * before.served),
      refused: now.refused + Math.round(share * before.refused),
    },
    last_24_hours: [...hours.values()]
      .filter(({ from_ms }) => from_ms <= thisHourMs && from_ms > thisHourMs - HOURS * HOUR_MS)
      .toSorted((one, other) => one.from_ms - other.from_ms)
      .map(({ from_ms, served, refused, healthy }) => ({
        from: new Date(from_ms).toISOString(),
        served,
        refused,
        tokens_healthy: healthy,
      })),
    updated_at: new Date(nowMs).toISOString(),
  };
};
