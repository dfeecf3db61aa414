import { setTimeout as delay } from 'node:timers/promises';
import { createDice } from '#test/fuzz/dice.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { FAKE_TIME_MISSING, REDIS_MISSING } from '#test/support/redis-server.ts';
import { createDonors, type Donors } from '../load/donors.ts';
import { createVisitors } from '../load/visitors.ts';
import type { Suite } from '../suite.ts';
import { startBalancer } from './balancer.ts';
import { BELONGING } from './belonging.ts';
import { createBooks } from './books.ts';
import { startCluster } from './cluster.ts';
import { startLoad } from './load.ts';
import { ALL_WELL, FIRST_STARTS, NODE_FAULTS, STORE_FAULTS } from './faults.ts';
import { promiseLines } from './promises.ts';
import { PERIOD_MS, toPart, type Scene, type Step } from './step.ts';
import { RESTORES } from './restores.ts';
import { TWO_VERSIONS } from './two-versions.ts';

const OPTIONS = { minutes: 2, proofs: 50_000, quick: false, seed: 0 };

/** Each token may send one a second, so that the cap is what limits. */
const CLUSTER = { nodes: 4, tokens: 100, limit: 5, periodMs: PERIOD_MS, egressPerSecond: 50 };
const LANES = { popular: 32, new: 16 };
const DONATED_FROM = 100_000;
const DONATED_TOKENS = 5_000;
const DONOR_EVERY_MS = 500;
const LENT_FOR_MS = 4_000;

const STEPS: readonly Step[] = [
  ALL_WELL,
  ...STORE_FAULTS,
  FIRST_STARTS,
  RESTORES,
  TWO_VERSIONS,
  ...BELONGING,
  // Last, so that the proofs of the longest step are still good when they are replayed.
  ...NODE_FAULTS,
];

/** Donors come one by one, whatever the state of things; one that is refused does not come again. */
const keepDonating = async (donors: Donors, over: AbortSignal): Promise<void> => {
  const visits = new Set<Promise<void>>();
  while (!over.aborted) {
    // The node may have been killed: nothing was acknowledged then.
    const visit = donors
      .come()
      .catch(() => {})
      .finally(() => visits.delete(visit));
    visits.add(visit);
    await delay(DONOR_EVERY_MS);
  }
  await Promise.all(visits);
};

export const suite: Suite<typeof OPTIONS, Scene> = {
  about:
    'Four servers, Redis, PostgreSQL and the sandbox on this machine, under load, while one after the other is killed, stopped, cut off, slowed down, replaced or given a wrong clock.',
  options: OPTIONS,
  quick: { minutes: 0.3, proofs: 1_000 },
  parts: () => STEPS.map(toPart),
  play: async ({ minutes, proofs, quick, seed }, runParts) => {
    const missing = REDIS_MISSING ?? POSTGRES_MISSING ?? FAKE_TIME_MISSING;
    if (missing !== null)
      throw new Error(`${missing} \`node scripts/setup.mjs stores\` unpacks it from Debian's packages.`);
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
    const over = new AbortController();
    const load = startLoad({ visitors, books, dice, lanes: LANES });
    const donating = keepDonating(donors, over.signal);
    const scene = { cluster, load, books, visitors, dice, quick, seconds: 60 * minutes, proofs };
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
