import { setTimeout as delay } from 'node:timers/promises';
import { startRedisServer } from '#test/support/redis-server.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { Scene, Seen, Step } from './step.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const WITHIN_MS = 30_000;
const POLL_MS = 250;

/** Longer than a node takes to connect again. */
const STEADY_POLLS = 8;

/** For a while, not just for a moment. False if that does not happen in time. */
const becomes = async (node: ClusterNode, ready: boolean): Promise<boolean> => {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (let polls = 0; polls < STEADY_POLLS; polls = (await node.isReady()) === ready ? polls + 1 : 0) {
    if (performance.now() > deadlineMs) return false;
    await delay(POLL_MS);
  }
  return true;
};

/** A start that must fail with that sentence, and not disturb the others. */
const refusedStart = async (
  { cluster }: Scene,
  env: Scene['cluster']['env'],
  sentence: RegExp,
): Promise<Seen> => {
  const [node] = await cluster.addNodes(1, env);
  const end = await node?.start().then(
    () => 'it started',
    (error: unknown) => String(error),
  );
  await node?.kill();
  const areReady = await Promise.all(cluster.nodes.map((other) => becomes(other, true)));
  const isRight = end !== undefined && sentence.test(end) && !areReady.includes(false);
  return isRight ? { note: 'refused' } : { note: `NOT REFUSED: ${end}`, broken: 1 };
};

const SECOND_SITE: Step = {
  name: 'a second site on the same store',
  run: async (scene) => {
    const { cluster } = scene;
    const site = await cluster.beginSite(cluster.redis.url);
    return refusedStart(scene, site, /The shared store is in use by another site/);
  },
};

const OTHER_STORE: Step = {
  name: 'a node with another store on the same records',
  run: async (scene) => {
    await using other = await startRedisServer();
    const env = { ...scene.cluster.env, SHARED_STATE_URL: other.url };
    // Awaited here: the other store must be there until then.
    const seen = await refusedStart(scene, env, /on the same records, uses another one/);
    return seen;
  },
};

/** One of five nodes finds itself at another store; it alone is not ready, until its address leads back. */
const MOVED_STORE: Step = {
  name: "a node's address of the store leads elsewhere, and back",
  run: async ({ cluster }) => {
    await using other = await startRedisServer();
    const { url } = cluster.redis;
    const port = Number(new URL(url).port);
    await using route = await startTcpProxy({ port, delayMs: 0, state: 'open' });
    const env = { ...cluster.env, SHARED_STATE_URL: url.replace(`:${port}`, `:${route.port}`) };
    const [node] = await cluster.addNodes(1, env);
    if (node === undefined) throw new TypeError('There is no node.');
    try {
      await node.start();
      route.steer({ port: other.port });
      const isRefused = await becomes(node, false);
      const areReady = await Promise.all(cluster.nodes.map((one) => becomes(one, true)));
      route.steer({ port });
      const isBack = await becomes(node, true);
      const isRight = isRefused && !areReady.includes(false) && isBack;
      return isRight
        ? { note: 'closed, and back' }
        : { note: `WRONG: refused ${isRefused}, others ${areReady.join()}, back ${isBack}`, broken: 1 };
    } finally {
      await node.kill();
    }
  },
};

export const BELONGING: readonly Step[] = [SECOND_SITE, OTHER_STORE, MOVED_STORE];
