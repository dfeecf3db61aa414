import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from './cluster-node.ts';

/** Stands before the nodes as a load balancer would: one after the other, and none that is not ready. */
export type Balancer = AsyncDisposable & {
  readonly origin: () => string;
  readonly readyCount: () => number;
};

const ASK_EVERY_MS = 250;

export const startBalancer = (nodes: readonly ClusterNode[]): Balancer => {
  const over = new AbortController();
  const ready = new Set(nodes);
  let turn = 0;

  const watch = async (node: ClusterNode): Promise<void> => {
    while (!over.signal.aborted) {
      if (await node.isReady()) ready.add(node);
      else ready.delete(node);
      await delay(ASK_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const watching = Promise.all(nodes.map(watch));

  return {
    origin: () => {
      // With none that is ready any will do: the visitor hears why not from a node, not from us.
      const choices = ready.size === 0 ? nodes : [...ready];
      turn += 1;
      return (choices[turn % choices.length] as ClusterNode).origin;
    },
    readyCount: () => ready.size,
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await watching;
    },
  };
};
