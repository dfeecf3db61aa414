import { expect, it, vi } from 'vitest';
import type { PlatformPause } from '#server/platform/gate.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { FigureRow } from '#server/storage/schema.ts';
import { StorageFault } from '#server/storage/storage-fault.ts';
import type { FigureStore } from './figures.ts';
import { createStatus } from './status.ts';

const START_MS = Date.UTC(2026, 10, 17, 3);
const at = (seconds: number): string => new Date(START_MS + seconds * 1_000).toISOString();

const keepFigures = () => {
  const rows = new Map<string, FigureRow>();
  const world = { answers: 'well' as 'well' | 'lost' };
  const store = {
    put: async (row: FigureRow) => {
      rows.set(`${row.server} ${row.from_ms}`, row);
      if (world.answers === 'lost') throw new StorageFault('08006');
    },
    since: async (fromMs: number) => [...rows.values()].filter(({ from_ms }) => from_ms > fromMs),
    forget: async (beforeMs: number) => {
      for (const [key, { from_ms }] of rows) if (from_ms <= beforeMs) rows.delete(key);
    },
  } as unknown as FigureStore;
  return { store, rows, world };
};

const start = async (figures = keepFigures().store, run = 'a') => {
  const { clock, advance } = createFakeSystem({ wallMs: START_MS });
  const told: unknown[] = [];
  const lookups = { served: 0, refused: 0 };
  const world = {
    pause: null as PlatformPause | null,
    healthy: 1,
  };
  const status = createStatus({
    clock,
    figures,
    run,
    lookups,
    onDefect: (error) => {
      throw error;
    },
    retirements: { count: async () => ({ platform: 0, operator: 0, last: null }) },
    tokenDonations: true,
    platform: { pause: () => world.pause },
    pool: {
      counts: () => ({ healthy: world.healthy, cooling: 0, suspect: 1, waiting: 0, inFlight: 0 }),
      nextChance: () => ({ waitMs: 0, mayBeSooner: false }),
    },
    problem: () => null,
    logger: { warn: (said: unknown) => void told.push(said), info: (said: unknown) => void told.push(said) },
  });
  await status.start();
  return { world, status, advance, told, lookups };
};

it('a pause is known with its begin and end, and both are logged once', async () => {
  const { world, status, advance, told } = await start();
  await advance(10_000);
  expect([status.read().paused, told]).toEqual([null, []]);
  world.pause = { cause: 'banned', waitMs: 3_600_000 };
  await advance(1_000);
  const paused = { cause: 'banned', since: at(11), until: at(3_611) };
  const begun = { event: 'lookups-paused', cause: 'banned', until: paused.until };
  expect(told).toEqual([begun]);
  await advance(60_000);
  world.pause = { cause: 'banned', waitMs: 3_540_000 };
  expect(status.read().paused).toEqual(paused);
  // A probe is in flight: nobody knows.
  world.pause = { cause: 'banned', waitMs: Infinity };
  expect(status.read().paused).toEqual({ ...paused, until: null });
  world.pause = null;
  await advance(1_000);
  expect(status.read().paused).toBeNull();
  expect(told).toEqual([begun, { event: 'lookups-resumed', cause: 'banned', seconds: 61 }]);
});

it('tokens are asked for while there are fewer than three', async () => {
  const { world, status, advance } = await start();
  const needed: boolean[] = [];
  for (world.healthy of [0, 2, 3]) {
    await advance(1_000);
    needed.push(status.read().donations_needed);
  }
  expect(needed).toEqual([true, true, false]);
});

it('lookups count once when PostgreSQL has stored them and its answer is lost', async () => {
  const { store, world, rows } = keepFigures();
  const { status, advance, lookups } = await start(store);
  world.answers = 'lost';
  lookups.served = 7;
  lookups.refused = 2;
  await advance(20_000);
  expect(rows.size).toBe(1);
  world.answers = 'well';
  await advance(20_000);
  expect(status.read().lookups_last_hour).toEqual({ served: 7, refused: 2 });
  await status.stop();
  const again = await start(store, 'b');
  await again.advance(1);
  again.lookups.served = 1;
  expect(again.status.read().lookups_last_hour).toEqual({ served: 8, refused: 2 });
});

it('a server that has nothing to add writes nothing', async () => {
  const { store, rows } = keepFigures();
  const put = vi.spyOn(store, 'put');
  const { advance } = await start(store);
  await advance(60_000);
  expect([put.mock.calls.length, rows.size]).toEqual([1, 1]);
});

it('figures are those of all servers, by hours of the clock, and kept for a day', async () => {
  const { store, rows } = keepFigures();
  const [one, other] = [await start(store), await start(store, 'b')];
  one.lookups.served = 60;
  other.lookups.refused = 40;
  for (const { advance } of [one, other, one]) await advance(10_000);
  const { last_24_hours: hours } = one.status.read();
  expect(hours).toEqual([{ from: at(0), served: 60, refused: 40, tokens_healthy: 1 }]);
  await one.advance(3_580_000 + 900_000);
  expect(one.status.read().lookups_last_hour).toEqual({ served: 45, refused: 30 });
  expect(one.status.read().last_24_hours).toHaveLength(2);
  await one.advance(25 * 3_600_000);
  expect(one.status.read().lookups_last_hour).toEqual({ served: 0, refused: 0 });
  expect([...rows.values()].map(({ served }) => served)).not.toContain(60);
});
