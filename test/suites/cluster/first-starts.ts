import { startRedisServer } from '#test/support/redis-server.ts';
import type { Scene, Seen, Step } from './step.ts';

const NODES = 6;

/** So many nodes at once, on stores that no node has ever used. */
const startTogether = async ({ cluster }: Scene): Promise<void> => {
  await using redis = await startRedisServer();
  const nodes = await cluster.addNodes(NODES, await cluster.beginSite(redis.url));
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
  }
};

const run = async (scene: Scene): Promise<Seen> => {
  const rounds = scene.quick ? 1 : 5;
  for (let round = 0; round < rounds; round += 1) await startTogether(scene);
  return { note: `${rounds * NODES} starts` };
};

export const FIRST_STARTS: Step = { name: 'six first starts at once, on a new site', run };
