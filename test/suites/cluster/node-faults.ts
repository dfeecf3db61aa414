import { setTimeout as delay } from 'node:timers/promises';
import { startRedisServer } from '#test/support/redis-server.ts';
import { sum } from '../load/figures.ts';
import type { Scene, Seen, Step } from './step.ts';

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

/** So many nodes at once, on stores that no node has ever used. */
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
