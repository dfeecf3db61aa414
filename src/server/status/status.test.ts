import { expect, it } from 'vitest';
import type { PlatformPause } from '#server/platform/platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { FigureStore } from './figure-store.ts';
import { createStatus } from './status.ts';

const START_MS = Date.UTC(2026, 10, 17, 3);
const at = (seconds: number): string => new Date(START_MS + seconds * 1_000).toISOString();

const NO_FIGURES = {
  add: async () => {},
  since: async () => [],
  forget: async () => [],
} as unknown as FigureStore;

const start = async () => {
  const { clock, advance } = createFakeSystem({ wallMs: START_MS });
  const told: unknown[] = [];
  const world = {
    pause: null as PlatformPause | null,
    healthy: 1,
  };
  const status = createStatus({
    clock,
    figures: NO_FIGURES,
    server: 'a',
    lookups: { served: 0, refused: 0 },
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
  return { world, status, advance, told };
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
