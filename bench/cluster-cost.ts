import { distinctIds } from '#test/support/many-lookups.ts';
import type { Benchmark, BenchSettings, Figure } from './benchmark.ts';
import { SETUPS, startClusterNodes, type ClusterNodes, type Setup, type Site } from './cluster-nodes.ts';
import { cpuSeconds } from './cpu.ts';
import { CONNECTIONS, postRequest, runLoad, type Load } from './http-load.ts';
import { lookupRequest } from './http-servers.ts';
import { compare, interleave, median, spread, type Samples } from './rounds.ts';
import { solvedProofs } from './solved-proofs.ts';

type Kind = 'cached' | 'uncached';
/** Microseconds of CPU for a challenge and for a lookup: of all nodes, and of the store. */
type Cost = {
  readonly challenge: number;
  readonly lookup: number;
  readonly storeChallenge: number;
  readonly storeLookup: number;
};
type Part = keyof Cost;

const FEW_CONNECTIONS = CONNECTIONS / 4;
/**
 * A server with more connections handles more at a time, which is cheaper, and one that shares its cores with others
 * finds its caches cold, which is not: only those with as many of both are compared.
 */
const CONTENDERS = {
  embedded: { setup: 'embedded', connections: CONNECTIONS },
  'one node': { setup: 'oneNode', connections: CONNECTIONS },
  'four sites': { setup: 'fourSites', connections: FEW_CONNECTIONS },
  'four nodes': { setup: 'fourNodes', connections: FEW_CONNECTIONS },
} as const satisfies Record<string, { readonly setup: Setup; readonly connections: number }>;
type Contender = keyof typeof CONTENDERS;
const NAMES = Object.keys(CONTENDERS) as Contender[];

const AIMS: Readonly<Record<Kind, number>> = { cached: 0.8, uncached: 0.75 };
/** With four nodes on one store a lookup costs what it costs with one on each, within this. */
const AIM_DRIFT = 0.05;
/** A server that has to wait for its core refuses a few, which costs it next to nothing. */
const MAX_REFUSED = 0.02;
/** Of each node. Before these the compiler is still at work. */
const WARM_UP = 12_000;

/** Nobody is asked for twice, by whichever node: each call begins after what was asked for before. */
const requestsFor = (kind: Kind, proofs: readonly string[], asked: { count: number }): string[] => {
  if (kind === 'cached') return proofs.map(lookupRequest);
  const ids = distinctIds(proofs.length, asked.count);
  asked.count += proofs.length;
  return proofs.map((proof, n) => postRequest('/lookup', JSON.stringify({ discord_id: ids[n], proof })));
};

type Round = {
  readonly kind: Kind;
  readonly connections: number;
  /** Lookups of each node. */
  readonly each: number;
  readonly asked: { count: number };
};

/** A made-up id that is nobody's is answered with 404. */
const measureCost = async (
  { nodes, storePids }: Site,
  { kind, connections, each, asked }: Round,
): Promise<Cost> => {
  const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const nodesCpu = (): number => cpuOf(nodes.map(({ pid }) => pid));
  const storeCpu = (): number => cpuOf(storePids);
  const [start, storeStart] = [nodesCpu(), storeCpu()];
  const loads: Load[] = [];
  let refused = 0;
  const onBody = (body: string): void => {
    if (body.includes('"overloaded"')) refused += 1;
  };
  for (const { port } of nodes) {
    const requests = requestsFor(kind, await solvedProofs(port, each), asked);
    loads.push({ port, requests, statuses: [200, 404, 503], connections, onBody });
  }
  const [before, storeBefore] = [nodesCpu(), storeCpu()];
  const answered = await Promise.all(loads.map(runLoad));
  const total = answered.reduce((sum, some) => sum + some, 0);
  if (total !== each * nodes.length || refused > MAX_REFUSED * total)
    throw new Error(`${total - refused} of ${each * nodes.length} were answered.`);
  const perLookup = (seconds: number): number => (seconds / total) * 1e6;
  return {
    challenge: perLookup(before - start),
    lookup: perLookup(nodesCpu() - before),
    storeChallenge: perLookup(storeBefore - storeStart),
    storeLookup: perLookup(storeCpu() - storeBefore),
  };
};

const micros = (what: string, samples: Samples): Figure => ({
  what: `  ${what}`,
  value: `${median(samples).toFixed(0)} µs`,
  spread: spread(samples, 0),
  rounds: samples.length,
  aim: '',
  met: null,
});

const ratio = (what: string, { ratio: value, pairs }: ReturnType<typeof compare>, aim: string): Figure => ({
  what,
  value: value.toFixed(2),
  spread: spread(pairs, 2),
  rounds: pairs.length,
  aim,
  met: aim.startsWith('≥') ? value >= Number(aim.slice(2)) : value <= Number(aim.slice(2)),
});

const measure = async (sites: ClusterNodes, kind: Kind, { quick }: BenchSettings): Promise<Figure[]> => {
  const asked = { count: 0 };
  for (const setup of SETUPS)
    await measureCost(sites[setup], { kind, connections: FEW_CONNECTIONS, each: WARM_UP, asked });
  const costs = new Map<Contender, Cost[]>(NAMES.map((name) => [name, []]));
  const round = async (name: Contender): Promise<number> => {
    const { setup, connections } = CONTENDERS[name];
    const cost = await measureCost(sites[setup], { kind, connections, each: quick ? 1_000 : 4_000, asked });
    costs.get(name)?.push(cost);
    return cost.lookup;
  };
  await interleave(
    NAMES.map((name) => ({ name, round: () => round(name) })),
    quick ? 3 : 5,
  );
  const of = (name: Contender, part: Part): Samples => costs.get(name)?.map((cost) => cost[part]) ?? [];
  return [
    ratio(
      `${kind} lookup: CPU efficiency of one node with engines`,
      compare(of('embedded', 'lookup'), of('one node', 'lookup')),
      `≥ ${AIMS[kind].toFixed(2)}`,
    ),
    ratio(
      `${kind} lookup: CPU of four nodes, to four sites of one`,
      compare(of('four nodes', 'lookup'), of('four sites', 'lookup')),
      `≤ ${(1 + AIM_DRIFT).toFixed(2)}`,
    ),
    ...NAMES.map((name) => micros(`CPU per lookup, ${name}`, of(name, 'lookup'))),
    micros('CPU of the store per lookup, one node', of('one node', 'storeLookup')),
    micros('CPU of the store per lookup, four nodes', of('four nodes', 'storeLookup')),
    micros('CPU of the stores per lookup, four sites', of('four sites', 'storeLookup')),
    micros('CPU per challenge, one node', of('one node', 'challenge')),
    micros('CPU of the store per challenge, one node', of('one node', 'storeChallenge')),
  ];
};

export const clusterCost: Benchmark = {
  name: 'cluster',
  run: async (settings) => {
    await using sites = await startClusterNodes();
    const figures: Figure[] = [];
    for (const kind of ['cached', 'uncached'] as const)
      figures.push(...(await measure(sites, kind, settings)));
    return {
      title: 'CPU per lookup, with everything in one process and with Redis and PostgreSQL',
      method: [
        'utime+stime from /proc over the number of lookups: of all nodes together, of the store where it says so; the platform is the sandbox.',
        '32 connections, or 8 for each node; every lookup with a proof of its own, solved outside of the timed part; all in turn; ratio of the medians.',
        'cached: one profile, in memory. uncached: nobody is asked for twice; 500 tokens that may do 30 a second each.',
      ],
      figures,
    };
  },
};
