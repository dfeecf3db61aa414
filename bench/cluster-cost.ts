import { distinctIds } from '#test/support/many-lookups.ts';
import type { Benchmark, BenchSettings, Figure } from './benchmark.ts';
import { SETUPS, startClusterNodes, type ClusterNodes, type Setup, type Site } from './cluster-nodes.ts';
import { cpuSeconds } from './cpu.ts';
import { CONNECTIONS, postRequest, runLoad, type Load } from './http-load.ts';
import { lookupRequest } from './http-servers.ts';
import { compare, interleave, median, spread, type Samples } from './rounds.ts';
import { solvedProofs } from './solved-proofs.ts';

type Kind = 'cached' | 'uncached';
/** Microseconds of CPU: of all nodes for a challenge and for a lookup, and of the store for a lookup. */
type Cost = { readonly challenge: number; readonly lookup: number; readonly store: number };
type Part = keyof Cost;

const NAMES: Readonly<Record<Setup, string>> = {
  embedded: 'embedded',
  oneNode: 'one node with engines',
  fourNodes: 'four nodes with engines',
};
const AIMS: Readonly<Record<Kind, number>> = { cached: 0.8, uncached: 0.75 };
/** From one node to four the cost of a lookup stays the same, within this. */
const AIM_DRIFT = 0.05;
/** A server that has to wait for its core refuses a few, which costs it next to nothing. */
const MAX_REFUSED = 0.02;
const WARM_UP = 4_000;

/** Nobody is asked for twice, by whichever node: each call begins after what was asked for before. */
const requestsFor = (kind: Kind, proofs: readonly string[], asked: { count: number }): string[] => {
  if (kind === 'cached') return proofs.map(lookupRequest);
  const ids = distinctIds(proofs.length, asked.count);
  asked.count += proofs.length;
  return proofs.map((proof, n) => postRequest('/lookup', JSON.stringify({ discord_id: ids[n], proof })));
};

type Round = { readonly kind: Kind; readonly count: number; readonly asked: { count: number } };

/** A made-up id that is nobody's is answered with 404. */
const measureCost = async ({ nodes, storePid }: Site, { kind, count, asked }: Round): Promise<Cost> => {
  const each = Math.ceil(count / nodes.length);
  const nodesCpu = (): number => nodes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const storeCpu = (): number => (storePid === null ? 0 : cpuSeconds(storePid));
  const start = nodesCpu();
  const loads: Load[] = [];
  const connections = CONNECTIONS / nodes.length;
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
    throw new Error(`${total - refused} of ${count} were answered.`);
  const perLookup = (seconds: number): number => (seconds / total) * 1e6;
  return {
    challenge: perLookup(before - start),
    lookup: perLookup(nodesCpu() - before),
    store: perLookup(storeCpu() - storeBefore),
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
  const costs: Readonly<Record<Setup, Cost[]>> = { embedded: [], oneNode: [], fourNodes: [] };
  for (const setup of SETUPS)
    await measureCost(sites[setup], { kind, count: WARM_UP * sites[setup].nodes.length, asked });
  const round = async (setup: Setup): Promise<number> => {
    const cost = await measureCost(sites[setup], { kind, count: quick ? 2_000 : 6_000, asked });
    costs[setup].push(cost);
    return cost.lookup;
  };
  await interleave(
    SETUPS.map((setup) => ({ name: setup, round: () => round(setup) })),
    quick ? 3 : 5,
  );
  const of = (setup: Setup, part: Part): Samples => costs[setup].map((cost) => cost[part]);
  return [
    ratio(
      `${kind} lookup: CPU efficiency of one node with engines`,
      compare(of('embedded', 'lookup'), of('oneNode', 'lookup')),
      `≥ ${AIMS[kind].toFixed(2)}`,
    ),
    ratio(
      `${kind} lookup: CPU of four nodes, to one`,
      compare(of('fourNodes', 'lookup'), of('oneNode', 'lookup')),
      `≤ ${(1 + AIM_DRIFT).toFixed(2)}`,
    ),
    ...SETUPS.map((setup) => micros(`CPU per lookup, ${NAMES[setup]}`, of(setup, 'lookup'))),
    micros('CPU of the store per lookup', of('oneNode', 'store')),
    micros('CPU per challenge, one node with engines', of('oneNode', 'challenge')),
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
        '32 connections in all, every lookup with a proof of its own, solved outside of the timed part; the three in turn; ratio of the medians.',
        'cached: one profile, in memory. uncached: nobody is asked for twice; 500 tokens that may do anything.',
      ],
      figures,
    };
  },
};
