import { setTimeout as delay } from 'node:timers/promises';
import { createDice } from '#test/attacks/dice.ts';
import { startBalancer } from '#test/suites/cluster/balancer.ts';
import { createBooks } from '#test/suites/cluster/books.ts';
import { startCluster, type Cluster, type ClusterOptions } from '#test/suites/cluster/cluster.ts';
import { startLoad } from '#test/suites/cluster/load.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';
import { atLeast, atMost, type Benchmark, type Figure } from './benchmark.ts';

type Tokens = Omit<ClusterOptions, 'nodes'>;

/**
 * What they can do together is little enough for a small machine: it is the pool that is measured. Where each may do one
 * thing in a long time, the cap spreads their first uses: they would come back all at once for ever.
 */
const POOLS: readonly Tokens[] = [
  { tokens: 3, limit: 30, periodMs: 3_000, egressPerSecond: 10_000 },
  { tokens: 100, limit: 15, periodMs: 30_000, egressPerSecond: 10_000 },
  { tokens: 1_000, limit: 2, periodMs: 60_000, egressPerSecond: 50 },
];
/** Waiting at any time: more than the tokens can serve, fewer than a node lets wait. */
const LANES = 300;
const LOOK_EVERY_MS = 2_000;
/** Above this they still live on what they had in the beginning. */
const STEADY_SHARE = 1.05;
const WARM_UP_MS = 240_000;
const LEAST_MS = 60_000;

const answeredBy = async ({ sandbox }: Cluster): Promise<number> =>
  (await sandbox.stats()).routes['users/{id}'] ?? 0;

const perSecondOf = ({ tokens, limit, periodMs }: Tokens): number => (tokens * limit * 1_000) / periodMs;

/** Until what the tokens could do at once in the beginning is used up, and for one more period: many rest at first. */
const useUp = async (cluster: Cluster, pool: Tokens): Promise<void> => {
  const startMs = performance.now();
  const steady = (STEADY_SHARE * perSecondOf(pool) * LOOK_EVERY_MS) / 1_000;
  for (let before = -Infinity, now = 0; now < pool.tokens * pool.limit || now - before > steady;) {
    if (performance.now() - startMs > WARM_UP_MS) throw new Error('The load is too small for these tokens.');
    await delay(LOOK_EVERY_MS);
    [before, now] = [now, await answeredBy(cluster)];
  }
  await delay(pool.periodMs);
};

const measure = async (pool: Tokens, nodes: number, quick: boolean): Promise<Figure[]> => {
  await using cluster = await startCluster({ ...pool, nodes });
  await using balancer = startBalancer(cluster.nodes);
  await using visitors = createVisitors(balancer.origin);
  const lanes = { popular: 0, new: LANES };
  await using _load = startLoad({
    visitors,
    books: createBooks(),
    dice: createDice(1),
    lanes,
    wasHarmed: () => false,
  });
  await useUp(cluster, pool);
  const [before, startMs] = [await answeredBy(cluster), performance.now()];
  // Whole periods: a token that may do one a minute does it when its minute is over.
  await delay(pool.periodMs * Math.ceil((quick ? 1 : LEAST_MS) / pool.periodMs));
  const [after, endMs] = [await answeredBy(cluster), performance.now()];
  const { rateLimited } = await cluster.sandbox.stats();
  const most = (perSecondOf(pool) * (endMs - startMs)) / 1_000;
  return [
    {
      what: `${pool.tokens.toLocaleString('en')} tokens over ${nodes} servers`,
      samples: [((after - before - rateLimited) / most) * 100],
      unit: '%',
      digits: 1,
      aim: atLeast(99),
    },
    { what: `  429s among ${after - before} requests`, samples: [rateLimited], aim: atMost(0) },
  ];
};

export const clusterCapacity: Benchmark = {
  name: 'cluster-capacity',
  title: 'Lookups of a saturated pool over several servers, as a share of what its tokens could do at most',
  run: async ({ quick }) => {
    const figures: Figure[] = [];
    for (const pool of POOLS)
      for (const nodes of [2, 4]) figures.push(...(await measure(pool, nodes, quick)));
    return {
      method: [
        'Whole servers, each a process of its own, on one PostgreSQL; visitors with solved proofs, nobody asked for twice.',
        'Sliding limits: 3 tokens at 30 per 3 s, 100 at 15 per 30 s, 1,000 at 2 per 60 s; counted by the sandbox over whole periods, once the first fill is used up.',
        'The first uses of the 1,000 are spread over their period by the cap of 50 a second that the platform sets; the others have no cap.',
      ],
      figures,
    };
  },
};
