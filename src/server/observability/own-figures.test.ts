import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createOwnFigures } from './own-figures.ts';
import { createRecentCount } from './recent-count.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 17, 8, 50);
const at = (hour: number, minute = 0): string => new Date(Date.UTC(2026, 10, 17, hour, minute)).toISOString();

const start = () => {
  const { clock, advance, skewWall } = createFakeSystem({ wallMs: START_MS });
  const world = { healthy: 2 };
  const recent = { served: createRecentCount(clock), refused: createRecentCount(clock) };
  const read = createOwnFigures(clock, { recent, tokens: () => ({ healthy: world.healthy, cooling: 1 }) });
  return { world, recent, read, advance, skewWall };
};

it('count each lookup in its hour of the clock, with the most tokens that were healthy in it', async () => {
  const { world, recent, read, advance } = start();
  recent.served.add();
  recent.refused.add();
  expect(read()).toEqual({
    tokens: { healthy: 2, cooling: 1 },
    lookups_last_hour: { served: 1, refused: 1 },
    last_24_hours: [{ from: at(8), served: 1, refused: 1, tokens_healthy: 2 }],
    updated_at: at(8, 50),
  });
  await advance(10 * 60_000);
  world.healthy = 1;
  recent.served.add();
  read();
  world.healthy = 0;
  expect(read().lookups_last_hour).toEqual({ served: 2, refused: 1 });
  expect(read().last_24_hours).toEqual([
    { from: at(8), served: 1, refused: 1, tokens_healthy: 2 },
    { from: at(9), served: 1, refused: 0, tokens_healthy: 1 },
  ]);
});

it('forget what is older than a day, and hold no more than that', async () => {
  const { read, advance } = start();
  for (let hour = 0; hour < 100; hour += 1) {
    read();
    await advance(HOUR_MS);
  }
  expect(read().last_24_hours).toHaveLength(24);
  expect(read().last_24_hours[0]?.from).toBe(at(8 + 77));
});

it.each([-30, 30, 24 * 365])('lose and mix nothing when the wall clock leaps by %i hours', async (hours) => {
  const { recent, read, advance, skewWall } = start();
  recent.served.add();
  const before = read();
  skewWall(hours * HOUR_MS);
  await advance(1_000);
  read();
  skewWall(-hours * HOUR_MS);
  recent.served.add();
  const [hour] = before.last_24_hours;
  expect(read().last_24_hours).toEqual([{ ...hour, served: 2 }]);
});

it('say when an hour began by the clock of now', () => {
  const { read, skewWall } = start();
  read();
  skewWall(20 * 60_000);
  expect(read().last_24_hours[0]?.from).toBe(at(8, 20));
});
