import { distinctIds } from '#test/support/many-lookups.ts';
import { startRedisServer } from '#test/support/redis-server.ts';
import type { ClusterNode } from '#test/suites/cluster/cluster-node.ts';
import { startCluster, type Cluster } from '#test/suites/cluster/cluster.ts';
import { sum } from '#test/suites/load/figures.ts';
import { CONNECTIONS, lookupRequest, runRawLoad, solvedProofs } from '#test/suites/load/raw-load.ts';
import { cpuSeconds } from '#test/suites/process-figures.ts';
import { atLeast, atMost, type Benchmark, type Figure, type Samples } from './benchmark.ts';
import { interleave, ratio } from './rounds.ts';
import { PROFILE_ID } from './server.ts';

type Kind = 'cached' | 'uncached';

/** Nodes and their Redis servers. */
type Site = { readonly nodes: readonly ClusterNode[]; readonly redisPids: readonly number[] };

/** Microseconds of CPU of all nodes, and of Redis. */
type Cost = Readonly<Record<'challenge' | 'lookup' | 'redisChallenge' | 'redisLookup', number>>;

/** So many that neither the platform nor the cap ever makes a lookup wait, with the usual limit for each. */
const CLUSTER = { nodes: 0, tokens: 500, limit: 30, periodMs: 1_000, egressPerSecond: 10_000 };
const AIMS: Readonly<Record<Kind, number>> = { cached: 0.8, uncached: 0.75 };
/** With four nodes on one store a lookup costs what it costs with one on each, within this. */
const AIM_FOUR = 1.05;
/** A server that has to wait for its core refuses a few, which costs it next to nothing. */
const MAX_REFUSED = 0.02;
/** Of each node. Before these the compiler is still at work. */
const WARM_UP = 12_000;

/**
 * A server with more connections handles more at a time, which is cheaper, and one that shares its cores with others
 * finds its caches cold, which is not: only those with as many of both are compared.
 */
const startSites = async (cluster: Cluster, parts: AsyncDisposableStack) => {
  const startSite = async (count: number): Promise<Site> => {
    const redis = parts.use(await startRedisServer());
    const nodes = await cluster.addNodes(count, await cluster.beginSite(redis.url));
    for (const node of nodes) await node.start();
    return { nodes, redisPids: [redis.pid] };
  };
  const embedded = await cluster.addNodes(1);
  for (const node of embedded) await node.start();
  const alone = [await startSite(1), await startSite(1), await startSite(1), await startSite(1)];
  return {
    'without stores': { nodes: embedded, redisPids: [] },
    'one node': await startSite(1),
    'four nodes': await startSite(4),
    'four sites': {
      nodes: alone.flatMap(({ nodes }) => nodes),
      redisPids: alone.flatMap(({ redisPids }) => redisPids),
    },
  } satisfies Record<string, Site>;
};

/** No id is asked for twice, by whichever node. */
const createRequests = (kind: Kind) => {
  let asked = 0;
  return (proof: string): string =>
    lookupRequest(kind === 'cached' ? PROFILE_ID : (distinctIds(1, (asked += 1))[0] ?? ''), proof);
};

/** `each`: lookups of each node. */
const measureCost = async (
  { nodes, redisPids }: Site,
  each: number,
  toRequest: (proof: string) => string,
): Promise<Cost> => {
  const connections = CONNECTIONS / nodes.length;
  const cpu = () => ({
    nodes: sum(nodes.map((node) => cpuSeconds(node.pid()))),
    redis: sum(redisPids.map(cpuSeconds)),
  });
  let refused = 0;
  const start = cpu();
  const proofs: string[][] = [];
  for (const { port } of nodes) proofs.push(await solvedProofs(port, each));
  const before = cpu();
  await Promise.all(
    nodes.map(({ port }, n) =>
      runRawLoad({
        port,
        connections,
        requests: (proofs[n] ?? []).map(toRequest),
        onAnswer: ({ status, body }) => {
          if (body.includes('"overloaded"')) refused += 1;
          else if (status !== 200 && status !== 404) throw new Error(`Answered with ${status}: ${body}`);
          return undefined;
        },
      }),
    ),
  );
  const after = cpu();
  const total = each * nodes.length;
  if (refused > MAX_REFUSED * total) throw new Error(`${refused} of ${total} were refused.`);
  const micros = (seconds: number): number => (seconds / total) * 1e6;
  return {
    challenge: micros(before.nodes - start.nodes),
    lookup: micros(after.nodes - before.nodes),
    redisChallenge: micros(before.redis - start.redis),
    redisLookup: micros(after.redis - before.redis),
  };
};

const measure = async (
  sites: Awaited<ReturnType<typeof startSites>>,
  kind: Kind,
  quick: boolean,
): Promise<Figure[]> => {
  type Name = keyof typeof sites;
  const names = Object.keys(sites) as Name[];
  const toRequest = createRequests(kind);
  for (const name of names) await measureCost(sites[name], WARM_UP, toRequest);
  const costs = new Map<Name, Cost[]>(names.map((name) => [name, []]));
  const round = (name: Name) => async (): Promise<number> => {
    const cost = await measureCost(sites[name], quick ? 1_000 : 4_000, toRequest);
    costs.get(name)?.push(cost);
    return cost.lookup;
  };
  await interleave(quick ? 3 : 5, Object.fromEntries(names.map((name) => [name, round(name)])));
  // Without the first round, which does not count.
  const of = (name: Name, part: keyof Cost): Samples =>
    costs
      .get(name)
      ?.slice(1)
      .map((cost) => cost[part]) ?? [];
  const micros = (what: string, samples: Samples): Figure => ({ what: `  CPU ${what}`, samples, unit: 'µs' });
  return [
    {
      what: `${kind} lookup: CPU efficiency of one node with Redis and PostgreSQL`,
      ...ratio(of('without stores', 'lookup'), of('one node', 'lookup')),
      aim: atLeast(AIMS[kind]),
    },
    {
      what: `${kind} lookup: CPU of four nodes, compared with four sites of one`,
      ...ratio(of('four nodes', 'lookup'), of('four sites', 'lookup')),
      aim: atMost(AIM_FOUR),
    },
    ...names.map((name) => micros(`per lookup, ${name}`, of(name, 'lookup'))),
    ...names.slice(1).map((name) => micros(`of Redis per lookup, ${name}`, of(name, 'redisLookup'))),
    micros('per challenge, one node', of('one node', 'challenge')),
    micros('of Redis per challenge, one node', of('one node', 'redisChallenge')),
  ];
};

export const clusterCost: Benchmark = {
  name: 'cluster',
  title: 'CPU per lookup, with everything in one process and with Redis and PostgreSQL',
  run: async ({ quick }) => {
    await using parts = new AsyncDisposableStack();
    const cluster = parts.use(await startCluster(CLUSTER));
    const sites = await startSites(cluster, parts);
    const figures: Figure[] = [];
    for (const kind of ['cached', 'uncached'] as const) figures.push(...(await measure(sites, kind, quick)));
    return {
      method: [
        'utime+stime from /proc over the number of lookups: of all nodes together, of Redis where it says so; the platform is the sandbox.',
        '32 connections, or 8 for each of four nodes; every lookup with a proof of its own, solved outside of the timed part; all in turn; ratio of the medians.',
        'cached: one profile, in memory. uncached: no id is asked for twice; 500 tokens that may do 30 a second each.',
      ],
      figures,
    };
  },
};
