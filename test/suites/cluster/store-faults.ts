import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterRedis } from './redis.ts';
import { PERIOD_MS, type Scene, type Seen, type Step } from './step.ts';

/** After Redis has lost its memory all tokens rest for a refill; a minute at most. */
const BACK_WITHIN_MS = 75_000;
const AFTERWARDS_MS = 2_000;

/** After the fault, waits until lookups are answered again: from a cache, and from the platform. */
const andBack = async (scene: Scene, fault: (scene: Scene) => Promise<unknown>): Promise<Seen> => {
  await fault(scene);
  const [popular, fresh] = await Promise.all([
    scene.books.nextAnswer('popular', BACK_WITHIN_MS),
    scene.books.nextAnswer('new', BACK_WITHIN_MS),
  ]);
  await delay(AFTERWARDS_MS);
  if (popular === null || fresh === null) return { note: 'NOT BACK IN TIME', broken: 1 };
  return {
    note: `first answer after ${(popular / 1_000).toFixed(1)} s, from the platform ${(fresh / 1_000).toFixed(1)} s`,
  };
};

const step = (name: string, fault: (redis: ClusterRedis) => Promise<unknown>): Step => ({
  name,
  run: (scene) => andBack(scene, ({ cluster }) => fault(cluster.redis)),
});

const slowed = (delayMs: number): Step =>
  step(`Redis is ${2 * delayMs} ms away`, async (redis) => {
    await redis.steer({ delayMs });
    await delay(5_000);
    await redis.steer({ delayMs: 0 });
  });

const disconnected = (name: string, state: 'closed' | 'silent', ms: number): Step =>
  step(name, async (redis) => {
    await redis.steer({ state });
    await delay(ms);
    await redis.steer({ state: 'open' });
  });

export const STORE_FAULTS: readonly Step[] = [
  step('Redis is stopped (SIGSTOP) and goes on', async (redis) => {
    redis.signal('SIGSTOP');
    await delay(5_000);
    redis.signal('SIGCONT');
  }),
  step('Redis is killed and comes back with nothing', (redis) => redis.replace()),
  step('Redis is replaced by one that writes to disk', (redis) => redis.replace({ keepsOnDisk: true })),
  step('Redis is killed and comes back with what is on disk', (redis) => redis.restart()),
  step('a replica that lags is promoted', (redis) => redis.promoteLaggingReplica(() => delay(2_000))),
  slowed(25),
  slowed(100),
  slowed(200),
  disconnected('connections to Redis are cut', 'closed', 3_000),
  disconnected('connections to Redis are a black hole', 'silent', PERIOD_MS),
  {
    name: 'PostgreSQL crashes and starts again',
    run: (scene) => andBack(scene, ({ cluster }) => cluster.postgres.restart()),
  },
];
