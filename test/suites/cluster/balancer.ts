import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from './cluster-node.ts';

const ASK_EVERY_MS = 250;

/** A load balancer in front of the nodes: one after the other, and none that is not ready. */
export const startBalancer = (nodes: readonly ClusterNode[]) => {
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
    origin: (): string => {
      // With none ready any will do, so that the visitor gets a node's own refusal.
      const choices = ready.size === 0 ? nodes : [...ready];
      turn += 1;
      return `http://127.0.0.1:${(choices[turn % choices.length] as ClusterNode).port}`;
    },
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await watching;
    },
  };
};
