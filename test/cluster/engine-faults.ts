import { setTimeout as delay } from 'node:timers/promises';
import { RUN } from './scenario.ts';
import type { Scene, Seen, Step } from './step.ts';

/** Everybody rests for a refill once the engine was lost; a minute at most. */
const BACK_WITHIN_MS = 75_000;
const AFTERWARDS_MS = 2_000;

/** Breaks something and mends it, then waits for lookups to be answered again: who is known, and who is not. */
const andBack = async ({ books }: Scene, fault: () => Promise<void>): Promise<Seen> => {
  await fault();
  const [popular, fresh] = await Promise.all([
    books.nextAnswer('popular', BACK_WITHIN_MS),
    books.nextAnswer('new', BACK_WITHIN_MS),
  ]);
  await delay(AFTERWARDS_MS);
  if (popular === null || fresh === null) return { note: 'NOT BACK IN TIME', broken: 1 };
  return {
    note: `first answer after ${(popular / 1_000).toFixed(1)} s, from the platform ${(fresh / 1_000).toFixed(1)} s`,
  };
};

const step = (name: string, fault: (scene: Scene) => Promise<void>): Step => ({
  name,
  run: (scene) => andBack(scene, () => fault(scene)),
});

const slowed = (delayMs: number): Step =>
  step(`the engine is ${2 * delayMs} ms away`, async ({ cluster: { engine } }) => {
    await engine.steer({ delayMs });
    await delay(5_000);
    await engine.steer({ delayMs: 0 });
  });

export const ENGINE_FAULTS: readonly Step[] = [
  step('the engine is stopped (SIGSTOP) and goes on', async ({ cluster: { engine } }) => {
    engine.signal('SIGSTOP');
    await delay(5_000);
    engine.signal('SIGCONT');
  }),
  step('the engine is killed and comes back with nothing', ({ cluster: { engine } }) => engine.replace()),
  step('the engine is replaced by one that writes to disk', ({ cluster: { engine } }) =>
    engine.replace({ keepsOnDisk: true }),
  ),
  step('the engine is killed and comes back with what is on disk', ({ cluster: { engine } }) =>
    engine.restart(),
  ),
  step('a replica that lags is promoted', ({ cluster: { engine } }) =>
    engine.promoteLaggingReplica(() => delay(2_000)),
  ),
  slowed(25),
  slowed(100),
  slowed(200),
  step('the way to the engine is cut', async ({ cluster: { engine } }) => {
    await engine.steer({ state: 'closed' });
    await delay(3_000);
    await engine.steer({ state: 'open' });
  }),
  step('the way to the engine is a black hole', async ({ cluster: { engine } }) => {
    await engine.steer({ state: 'silent' });
    await delay(RUN.periodMs);
    await engine.steer({ state: 'open' });
  }),
  step('PostgreSQL crashes and starts again', async ({ cluster: { postgres } }) => {
    await postgres.restart();
  }),
];
