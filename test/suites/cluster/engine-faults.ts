import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { Scene, Seen, Step } from './step.ts';

/** For so long servers may need after PostgreSQL is back, and after another has taken its place. */
const BACK_MS = 2_000;
const BACK_AFTER_FAILOVER_MS = 5_000;
const AFTERWARDS_MS = 3_000;
const NEVER_MS = 60_000;
const DOWN_MS = 8_000;
const FROZEN_MS = 30_000;
const LAG_MS = 1_000;
const DAY = 86_400;

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** After the fault, how long until lookups are answered again: from a cache, and from the platform. */
const andBack = async (scene: Scene, withinMs: number): Promise<Seen> => {
  const [popular, fresh] = await Promise.all([
    scene.books.nextAnswer('popular', NEVER_MS),
    scene.books.nextAnswer('new', NEVER_MS),
  ]);
  await delay(AFTERWARDS_MS);
  if (popular === null || fresh === null) return { note: 'NOT BACK', broken: 1 };
  const isLate = Math.max(popular, fresh) > withinMs;
  const back = `first answer after ${inSeconds(popular)} s, from the platform ${inSeconds(fresh)} s`;
  return { note: isLate ? `TOO LATE: ${back}` : back, broken: Number(isLate) };
};

const step = (name: string, fault: (engine: Engine) => Promise<void>, withinMs = BACK_MS): Step => ({
  name,
  run: async (scene) => {
    await fault(scene.cluster.engine);
    return andBack(scene, withinMs);
  },
});

/** The clock of PostgreSQL leaps by so many seconds, and is set right after a while. */
const leaping = (seconds: number): Step =>
  step(`its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'} for 5 s`, async (engine) => {
    engine.setClockAhead(seconds);
    await delay(5_000);
    engine.setClockAhead(0);
  });

const slowed = (delayMs: number): Step =>
  step(`it is ${2 * delayMs} ms away`, async ({ proxy }) => {
    await proxy.steer({ delayMs });
    await delay(5_000);
    await proxy.steer({ delayMs: 0 });
  });

/** How often the platform has said 429 so far. */
const rateLimited = async ({ cluster }: Scene): Promise<number> =>
  (await cluster.sandbox.stats()).rateLimited;

/** A replica that lags takes over: what the lag held is forgotten, so a refusal or two may follow. */
export const FAILOVER_WITH_LAG: Step = {
  name: 'an asynchronous replica that lags by a second takes over: 429s',
  run: async (scene) => {
    const before = await rateLimited(scene);
    const { engine } = scene.cluster;
    scene.pauseDonors(true);
    await delay(AFTERWARDS_MS);
    await engine.failOver(LAG_MS);
    scene.pauseDonors(false);
    const seen = await andBack(scene, BACK_AFTER_FAILOVER_MS);
    const refused = (await rateLimited(scene)) - before;
    scene.excuse(refused);
    return { ...seen, note: `${refused} × 429; ${seen.note}` };
  },
};

export const ENGINE_FAULTS: readonly Step[] = [
  slowed(10),
  step('it is restarted, with a clock that can be set', (engine) => engine.setClockKind('faked')),
  ...[400, -400, DAY, -DAY].map(leaping),
  step('it is restarted, with its own clock', (engine) => engine.setClockKind('own')),
  step('it is killed (-9) and starts again at once', (engine) => engine.current().restart()),
  step('it is killed (-9), and down for a while', async (engine) => {
    await engine.current().stop();
    await delay(DOWN_MS);
    await engine.current().restart();
  }),
  step('it is stopped (SIGSTOP) for 30 s and goes on', async (engine) => {
    engine.current().signal('SIGSTOP');
    await delay(FROZEN_MS);
    engine.current().signal('SIGCONT');
  }),
  step('connections to it are cut for 3 s', async ({ proxy }) => {
    await proxy.steer({ state: 'closed' });
    await delay(3_000);
    await proxy.steer({ state: 'open' });
  }),
  step('connections to it are a black hole for 5 s', async ({ proxy }) => {
    await proxy.steer({ state: 'silent' });
    await delay(5_000);
    await proxy.steer({ state: 'open' });
  }),
  step('a synchronous replica takes over', (engine) => engine.failOver(0), BACK_AFTER_FAILOVER_MS),
  FAILOVER_WITH_LAG,
];
