import { setTimeout as delay } from 'node:timers/promises';
import { sum } from '../load/figures.ts';
import type { Scene, Seen, Step } from './step.ts';

const LONGEST_LIFE_MS = 3_000;
const MOST_SECONDS = 900;
const FROZEN_MS = 30_000;

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

/** Frozen wherever it is in what it does. */
const freezeServers = async ({ cluster, dice }: Scene): Promise<Seen> => {
  for (let n = 0; n < 2; n += 1) {
    const server = dice.pick(cluster.nodes);
    server.setFrozen(true);
    await delay(FROZEN_MS);
    server.setFrozen(false);
    await delay(3_000);
  }
  return { note: `twice for ${FROZEN_MS / 1_000} s` };
};

const killServers = async (scene: Scene): Promise<Seen> => {
  const { cluster, dice, load, seconds, proofs } = scene;
  const startMs = performance.now();
  const elapsedSeconds = (): number => (performance.now() - startMs) / 1_000;
  let kills = 0;
  while (
    elapsedSeconds() < seconds / 2 ||
    (load.accepted.length < proofs && elapsedSeconds() < MOST_SECONDS)
  ) {
    const node = dice.pick(cluster.nodes);
    await node.kill();
    await node.start();
    kills += 1;
    await delay(dice.below(LONGEST_LIFE_MS));
  }
  return { note: `${kills} kills` };
};

export const SERVER_FAULTS: readonly Step[] = [
  { name: 'a server frozen in the middle of a step', run: freezeServers },
  { name: 'servers killed at random moments', run: killServers },
];
