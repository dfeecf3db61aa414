import { setTimeout as delay } from 'node:timers/promises';
import { createDice } from '#test/attacks/dice.ts';
import { createDonors, type Donors } from '../load/donors.ts';
import { createVisitors } from '../load/visitors.ts';
import type { Suite } from '../suite.ts';
import { startBalancer } from './balancer.ts';
import { createBooks } from './books.ts';
import { startCluster } from './cluster.ts';
import { startLoad } from './load.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import { ENGINE_MISSING } from './engine.ts';
import { promiseLines } from './promises.ts';
import { PERIOD_MS, toPart, type Scene, type Step } from './step.ts';
import { ALL_WELL, SERVER_FAULTS } from './server-faults.ts';

const OPTIONS = { minutes: 2, proofs: 50_000, seed: 0 };

/** Each token may send one a second, so that the cap is what limits. */
const CLUSTER = { nodes: 4, tokens: 100, limit: 5, periodMs: PERIOD_MS, egressPerSecond: 50 };
const LANES = { popular: 32, new: 16 };
const DONATED_FROM = 100_000;
const DONATED_TOKENS = 5_000;
const DONOR_EVERY_MS = 500;
const LENT_FOR_MS = 4_000;

const STEPS: readonly Step[] = [
  ALL_WELL,
  ...ENGINE_FAULTS,
  // Last, so that the proofs of the longest step are still good when they are replayed.
  ...SERVER_FAULTS,
];

/** Donors come one by one, whatever the state of things; one that is refused does not come again. */
const keepDonating = async (donors: Donors, over: AbortSignal, isPaused: () => boolean): Promise<void> => {
  const visits = new Set<Promise<void>>();
  for (; !over.aborted; await delay(DONOR_EVERY_MS)) {
    if (isPaused()) continue;
    // The node may have been killed: nothing was acknowledged then.
    const visit = donors
      .come()
      .catch(() => {})
      .finally(() => visits.delete(visit));
    visits.add(visit);
  }
  await Promise.all(visits);
};

export const suite: Suite<typeof OPTIONS, Scene> = {
  about:
    'Four servers, PostgreSQL and the sandbox on this machine, under load, while one after the other is killed, stopped, cut off, slowed down, replaced or given a wrong clock.',
  options: OPTIONS,
  parts: () => STEPS.map(toPart),
  play: async ({ minutes, proofs, seed }, runParts) => {
    if (ENGINE_MISSING !== null)
      throw new Error(
        `${ENGINE_MISSING} \`node scripts/setup.mjs stores\` unpacks it from Debian's packages.`,
      );
    await using cluster = await startCluster(CLUSTER);
    await using balancer = startBalancer(cluster.nodes);
    await using visitors = createVisitors(balancer.origin);
    const dice = createDice(seed);
    const books = createBooks();
    const donors = createDonors({
      visitors,
      dice,
      tokens: await cluster.sandbox.mintTokens(DONATED_TOKENS, DONATED_FROM),
      beforeWithdrawal: () => delay(LENT_FOR_MS),
    });
    let areDonorsPaused = false;
    let excused = 0;
    const over = new AbortController();
    const wasHarmed = (origin: string, sinceMs: number): boolean =>
      cluster.nodes.some(
        ({ port, wasHarmedSince }) => origin.endsWith(`:${port}`) && wasHarmedSince(sinceMs),
      );
    const load = startLoad({ visitors, books, dice, lanes: LANES, wasHarmed });
    const donating = keepDonating(donors, over.signal, () => areDonorsPaused);
    const scene: Scene = {
      cluster,
      load,
      books,
      visitors,
      dice,
      seconds: 60 * minutes,
      proofs,
      pauseDonors: (isPaused) => void (areDonorsPaused = isPaused),
      excuse: (rateLimited) => void (excused += rateLimited),
      excused: () => excused,
    };
    // Until the popular profiles are cached.
    await books.nextAnswer('new', 30_000);
    await delay(3_000);
    const lines = await runParts(scene);
    over.abort();
    await donating;
    await load[Symbol.asyncDispose]();
    return [...lines, ...(await promiseLines(scene, donors, CLUSTER.egressPerSecond))];
  },
};
