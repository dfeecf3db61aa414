import { isStorageFault } from '#server/storage/storage-fault.ts';
import { createRepetition, HOUR_MS, type Clock } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';
import type { Cell, FigureStore } from './figure-store.ts';

type ShownFigures = Pick<Status, 'lookups_last_hour' | 'last_24_hours' | 'updated_at'> & {
  readonly tokens: Omit<Status['tokens'], 'retired'>;
};

export type FiguresDeps = {
  readonly clock: Clock;
  readonly figures: FigureStore;
  readonly server: string;
  /** Those that are not stored yet. */
  readonly lookups: Record<'served' | 'refused', number>;
  readonly tokens: () => ShownFigures['tokens'];
  readonly onDefect: (error: unknown) => void;
};

const CELL_MS = 300_000;
/** The one that is not over yet is the last of them. */
const HOURS = 24;
const KEPT_MS = (HOURS + 1) * HOUR_MS;
const LOOK_EVERY_MS = 1_000;
const STORE_EVERY_MS = 5_000;

/** What all servers have stored, and what this one has counted since. */
export const createFigures = (deps: FiguresDeps) => {
  const { clock, figures: store, server, lookups, tokens, onDefect } = deps;
  // Steady, so that no leap of the clock moves a lookup into another hour.
  const startMs = clock.wallMs() - clock.monotonicMs();
  let cells = new Map<number, Cell>();
  let storeAtMs = -Infinity;
  let peakSinceStored = 0;

  const nowMs = (): number => Math.floor(startMs + clock.monotonicMs());
  const unstored = (): Cell => ({
    ...lookups,
    healthy: Math.max(peakSinceStored, tokens().healthy),
    from_ms: Math.floor(nowMs() / CELL_MS) * CELL_MS,
  });
  const load = async (): Promise<void> => {
    const rows = await store.since(nowMs() - KEPT_MS);
    cells = new Map(rows.map((row) => [row.from_ms, row]));
  };
  const flush = async (): Promise<void> => {
    const added = unstored();
    const { served, refused, healthy, from_ms } = added;
    const known = cells.get(from_ms);
    if (known !== undefined && served + refused === 0 && healthy <= known.healthy) return;
    await store.add({ server, ...added });
    lookups.served -= served;
    lookups.refused -= refused;
    peakSinceStored = 0;
    cells.set(from_ms, plus(known, added));
    if (known === undefined) await store.forget(nowMs() - KEPT_MS);
  };
  const look = async (): Promise<void> => {
    peakSinceStored = Math.max(peakSinceStored, tokens().healthy);
    try {
      if (clock.monotonicMs() >= storeAtMs) {
        storeAtMs = clock.monotonicMs() + STORE_EVERY_MS;
        await flush();
        await load();
      }
    } catch (error) {
      if (!isStorageFault(error)) onDefect(error);
    }
  };
  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    read: (): ShownFigures => {
      const added = unstored();
      const all = new Map(cells).set(added.from_ms, plus(cells.get(added.from_ms), added));
      return figuresOf(all, nowMs(), tokens());
    },
    start: async (): Promise<void> => {
      await load();
      looks.start(0);
    },
    stop: async (): Promise<void> => {
      // What is being stored must not be stored twice.
      await looks.stop();
      await flush().catch((error: unknown) => isStorageFault(error) || onDefect(error));
    },
  };
};

const plus = (cell: Cell | undefined, added: Cell): Cell => ({
  from_ms: added.from_ms,
  served: (cell?.served ?? 0) + added.served,
  refused: (cell?.refused ?? 0) + added.refused,
  healthy: Math.max(cell?.healthy ?? 0, added.healthy),
});

const figuresOf = (
  cells: ReadonlyMap<number, Cell>,
  nowMs: number,
  tokens: ShownFigures['tokens'],
): ShownFigures => {
  const hours = new Map<number, Cell>();
  const hour = { served: 0, refused: 0 };
  const thisHourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  for (const cell of cells.values()) {
    const from_ms = Math.floor(cell.from_ms / HOUR_MS) * HOUR_MS;
    if (from_ms > thisHourMs || from_ms <= thisHourMs - HOURS * HOUR_MS) continue;
    hours.set(from_ms, plus(hours.get(from_ms), { ...cell, from_ms }));
    if (cell.from_ms <= nowMs - HOUR_MS) continue;
    hour.served += cell.served;
    hour.refused += cell.refused;
  }
  return {
    tokens,
    lookups_last_hour: hour,
    last_24_hours: [...hours.values()]
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
