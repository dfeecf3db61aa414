import { setTimeout as delay } from 'node:timers/promises';
import { startRedisServer } from '#test/support/redis-server.ts';
import { sum } from '../load/figures.ts';
import type { ClusterRedis } from './redis.ts';
import { PERIOD_MS, type Scene, type Seen, type Step } from './step.ts';

const KILL_EVERY_MS = 3_000;
const MOST_SECONDS = 900;
/** Longer than a token is lent, and than any answer of a store may take. */
const STOPPED_MS = 10_000;

/** Without any fault, lookups of new people are refused for want of tokens. */
const EXPECTED = /^503 pool-busy$/;

export const ALL_WELL: Step = {
  name: 'all is well',
  run: async ({ seconds }, counts) => {
    await delay((seconds * 1_000) / 6);
    const causes = [...counts.refused, ...counts.failed];
    const broken = sum(causes.map(([cause, times]) => (EXPECTED.test(cause) ? 0 : times)));
    return { note: `${(counts.answered / (seconds / 6)).toFixed(0)} a second`, broken };
  },
};

const killNodes = async (scene: Scene): Promise<Seen> => {
  const { cluster, dice, load, seconds, proofs } = scene;
  const startMs = performance.now();
  const elapsedSeconds = (): number => (performance.now() - startMs) / 1_000;
  let kills = 0;
  while (
    elapsedSeconds() < seconds / 2 ||
    (load.accepted.length < proofs && elapsedSeconds() < MOST_SECONDS)
  ) {
    const node = dice.pick(cluster.nodes);
    const pause = delay(KILL_EVERY_MS);
    await node.kill();
    await node.start();
    kills += 1;
    await pause;
  }
  return { note: `${kills} kills` };
};

const stopNode: Step = {
  name: 'a node is stopped (SIGSTOP) and goes on',
  run: async ({ cluster, dice, quick }) => {
    const node = dice.pick(cluster.nodes);
    node.signal('SIGSTOP');
    await delay(quick ? STOPPED_MS / 3 : STOPPED_MS);
    node.signal('SIGCONT');
    await delay(3_000);
    return { note: node.name };
  },
};

export const NODE_FAULTS: readonly Step[] = [
  stopNode,
  { name: 'a node killed every few seconds', run: killNodes },
];

const FIRST_NODES = 6;

/** How many nodes start at once, on stores that no node has ever used. */
const startTogether = async ({ cluster }: Scene): Promise<void> => {
  await using redis = await startRedisServer();
  const nodes = await cluster.addNodes(FIRST_NODES, await cluster.beginSite(redis.url));
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
};

export const FIRST_STARTS: Step = {
  name: 'six first starts at once, on a new site',
  run: async (scene) => {
    const rounds = scene.quick ? 1 : 5;
    for (let round = 0; round < rounds; round += 1) await startTogether(scene);
    return { note: `${rounds * FIRST_NODES} starts` };
  },
};

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

const DAY = 86_400;

/** The clock of Redis leaps by so many seconds, and is set right after a while. */
const leaping = (seconds: number, ms: number): Step =>
  step(
    `Redis's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'} for ${ms / 1_000} s`,
    async (redis) => {
      redis.setClockAhead(seconds);
      await delay(ms);
      redis.setClockAhead(0);
    },
  );

const CLOCK_FAULTS: readonly Step[] = [
  step('Redis is replaced by one whose clock can be set', (redis) => redis.replaceWithClock()),
  leaping(600, 3_000),
  leaping(DAY, 1_500),
  leaping(-400, 3_000),
  leaping(9, 1_500),
  step("Redis's clock is 15 s ahead for good", async (redis) => redis.setClockAhead(15)),
  step("Redis's clock is set right again", async (redis) => redis.setClockAhead(0)),
];

export const STORE_FAULTS: readonly Step[] = [
  // First: the next Redis has a clock of the machine again, which is read faster.
  ...CLOCK_FAULTS,
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
