import { setTimeout as delay } from 'node:timers/promises';
import { sum } from '../load/figures.ts';
import type { Scene, Seen, Step } from './step.ts';

const KILL_EVERY_MS = 3_000;
const MOST_SECONDS = 900;
const FROZEN_MS = 30_000;
const CAUGHT_WITHIN_MS = 20_000;

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

/** What a server says to PostgreSQL in the steps of a lookup, a donation and a withdrawal. */
const STATEMENTS = {
  'spends a proof': 'insert into spent_proof',
  'reads a free token': 'order by free_at limit(?!.*tat = p\\.slot)',
  'takes a turn at the pace': 'tat = p\\.slot',
  'takes a token, or records its answer': 'update token_state s set',
  'stores a donation': 'insert into "donated_token"',
  'commits it': '^Q.{4}commit',
  'notes a withdrawal': 'insert into "withdrawn"',
  'takes a token out': "'removed'",
} as const;

/** Killed, and started again, at every statement: before PostgreSQL has it, and before the server knows what came of it. */
const killAtStatements = async ({ cluster, dice }: Scene): Promise<Seen> => {
  const missed: string[] = [];
  let kills = 0;
  for (const [name, pattern] of Object.entries(STATEMENTS))
    for (const when of ['before', 'after'] as const) {
      const server = dice.below(cluster.nodes.length);
      const isCaught = await cluster.engine.proxy.setTrap({ server, pattern, when }, CAUGHT_WITHIN_MS);
      if (!isCaught) missed.push(`${when} it ${name}`);
      await cluster.nodes[server]?.kill();
      await cluster.nodes[server]?.start();
      kills += Number(isCaught);
    }
  const note = `${kills} kills`;
  return missed.length === 0 ? { note } : { note: `${note}; NEVER SEEN: ${missed.join(', ')}`, broken: 1 };
};

/** Frozen between a statement and its answer, or before it has left. */
const freezeInStep = async ({ cluster, dice, quick }: Scene): Promise<Seen> => {
  const frozenMs = quick ? FROZEN_MS / 6 : FROZEN_MS;
  for (const when of ['before', 'after'] as const) {
    const server = dice.below(cluster.nodes.length);
    await cluster.engine.proxy.setTrap(
      { server, pattern: STATEMENTS['takes a turn at the pace'], when },
      CAUGHT_WITHIN_MS,
    );
    cluster.nodes[server]?.setFrozen(true);
    await delay(frozenMs);
    cluster.nodes[server]?.setFrozen(false);
    await delay(3_000);
  }
  return { note: `twice for ${frozenMs / 1_000} s` };
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
    const pause = delay(KILL_EVERY_MS);
    await node.kill();
    await node.start();
    kills += 1;
    await pause;
  }
  return { note: `${kills} kills` };
};

export const SERVER_FAULTS: readonly Step[] = [
  { name: 'a server killed at every statement of a step', run: killAtStatements },
  { name: 'a server frozen in the middle of a step', run: freezeInStep },
  { name: 'a server killed every few seconds', run: killServers },
];
