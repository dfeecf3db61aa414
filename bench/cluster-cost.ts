import { distinctIds } from '#test/support/many-lookups.ts';
import type { ClusterNode } from '#test/suites/cluster/cluster-node.ts';
import { startCluster, type Cluster } from '#test/suites/cluster/cluster.ts';
import { sum } from '#test/suites/load/figures.ts';
import { CONNECTIONS, lookupRequest, runRawLoad, solvedProofs } from '#test/suites/load/raw-load.ts';
import { cpuSeconds } from '#test/suites/process-figures.ts';
import {
  atLeast,
  atMost,
  interleave,
  ratio,
  type Benchmark,
  type Figure,
  type Samples,
} from './benchmark.ts';
import { PROFILE_ID } from './server.ts';

type Kind = 'cached' | 'uncached';
type Site = 'in memory' | 'one server' | 'four servers';
type Sites = Readonly<Record<Site, readonly ClusterNode[]>>;

/** Microseconds of CPU of all servers, and how many a second they answered together. */
type Cost = Readonly<Record<'lookup' | 'perSecond', number>>;

/** So many that neither the platform nor the cap ever makes a lookup wait, with the usual limit for each. */
const CLUSTER = { nodes: 0, tokens: 500, limit: 30, periodMs: 1_000, egressPerSecond: 10_000 };
const AIM_CACHED = 2;
const AIM_PER_SECOND = 300;
/** A server that has to wait for its core refuses a few, which costs it next to nothing. */
const MAX_REFUSED = 0.02;
/** Of each server. Before these the compiler is still at work. */
const WARM_UP: Readonly<Record<Kind, number>> = { cached: 12_000, uncached: 3_000 };
const LOOKUPS: Readonly<Record<Kind, number>> = { cached: 4_000, uncached: 1_000 };

const startSites = async (cluster: Cluster): Promise<Sites> => {
  const startSite = async (count: number): Promise<readonly ClusterNode[]> => {
    const site = await cluster.beginSite();
    return cluster.addNodes(count, () => site);
  };
  const sites = {
    'in memory': await cluster.addNodes(1),
    'one server': await startSite(1),
    'four servers': await startSite(4),
  };
  for (const node of Object.values(sites).flat()) await node.start();
  return sites;
};

/** No id is asked for twice, by whichever server. */
const createRequests = (kind: Kind) => {
  let asked = 0;
  return (proof: string): string =>
    lookupRequest(kind === 'cached' ? PROFILE_ID : (distinctIds(1, (asked += 1))[0] ?? ''), proof);
};

/** `each`: lookups of each server. */
const measureCost = async (
  nodes: readonly ClusterNode[],
  each: number,
  toRequest: (proof: string) => string,
): Promise<Cost> => {
  const cpu = (): number => sum(nodes.map((node) => cpuSeconds(node.pid())));
  const total = each * nodes.length;
  let refused = 0;
  const proofs: string[][] = [];
  for (const { port } of nodes) proofs.push(await solvedProofs(port, each));
  const [before, startMs] = [cpu(), performance.now()];
  await Promise.all(
    nodes.map(({ port }, n) =>
      runRawLoad({
        port,
        connections: CONNECTIONS / nodes.length,
        requests: (proofs[n] ?? []).map(toRequest),
        onAnswer: ({ status, body }) => {
          if (body.includes('"overloaded"')) refused += 1;
          else if (status !== 200 && status !== 404) throw new Error(`Answered with ${status}: ${body}`);
          return undefined;
        },
      }),
    ),
  );
  const [after, endMs] = [cpu(), performance.now()];
  if (refused > MAX_REFUSED * total) throw new Error(`${refused} of ${total} were refused.`);
  return {
    lookup: ((after - before) / total) * 1e6,
    perSecond: ((total - refused) * 1_000) / (endMs - startMs),
  };
};

const measure = async (sites: Sites, kind: Kind, quick: boolean): Promise<Figure[]> => {
  const names = Object.keys(sites) as Site[];
  const toRequest = createRequests(kind);
  for (const name of names) await measureCost(sites[name], WARM_UP[kind], toRequest);
  const costs = new Map<Site, Cost[]>(names.map((name) => [name, []]));
  const round = (name: Site) => async (): Promise<number> => {
    const cost = await measureCost(sites[name], LOOKUPS[kind] / (quick ? 4 : 1), toRequest);
    costs.get(name)?.push(cost);
    return cost.lookup;
  };
  await interleave(quick ? 3 : 5, Object.fromEntries(names.map((name) => [name, round(name)])));
  // Without the first round, which does not count.
  const of = (name: Site, part: keyof Cost): Samples =>
    costs
      .get(name)
      ?.slice(1)
      .map((cost) => cost[part]) ?? [];
  return [
    {
      what: `${kind} lookup: CPU of one server with PostgreSQL, compared with one in memory`,
      ...ratio(of('one server', 'lookup'), of('in memory', 'lookup')),
      ...(kind === 'cached' && { aim: atMost(AIM_CACHED) }),
    },
    ...names.flatMap((name): Figure[] => [
      { what: `  CPU per ${kind} lookup, ${name}`, samples: of(name, 'lookup'), unit: 'µs' },
      {
        what: `  ${kind} lookups a second, ${name}`,
        samples: of(name, 'perSecond'),
        // Each took a lease.
        ...(kind === 'uncached' && name === 'four servers' && { aim: atLeast(AIM_PER_SECOND) }),
      },
    ]),
  ];
};

export const clusterCost: Benchmark = {
  name: 'cluster',
  title: 'CPU per lookup, with everything in one process and with PostgreSQL',
  run: async ({ quick }) => {
    await using cluster = await startCluster(CLUSTER);
    const sites = await startSites(cluster);
    const figures: Figure[] = [];
    for (const kind of ['cached', 'uncached'] as const) figures.push(...(await measure(sites, kind, quick)));
    return {
      method: [
        'utime+stime of all servers together from /proc over the number of lookups; the platform is the sandbox.',
        '32 connections, or 8 to each of four servers; every lookup with a proof of its own, solved outside of the timed part; all in turn; ratio of the medians.',
        'cached: one profile, in memory. uncached: no id is asked for twice; 500 tokens that may do 30 a second each.',
      ],
      figures,
    };
  },
};
