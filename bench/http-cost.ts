import type { Benchmark, BenchSettings, Figure } from './benchmark.ts';
import type { ChildServer } from './child-server.ts';
import { cpuSeconds, separateCores } from './cpu.ts';
import { getRequest, runLoad } from './http-load.ts';
import { lookupRequest, startHttpServers, type HttpServers } from './http-servers.ts';
import { compare, interleave, median, samplesOf, spread, type Samples } from './rounds.ts';
import { solvedProofs } from './solved-proofs.ts';

type Endpoint = {
  readonly name: string;
  /** Made before the clock starts. */
  readonly prepare: (server: ChildServer, count: number) => string[] | Promise<string[]>;
};

const repeated = (request: string) => (_server: ChildServer, count: number) =>
  Array.from({ length: count }, () => request);

const endpoints = ({ scriptPath }: HttpServers): Endpoint[] => [
  {
    name: 'GET /challenge',
    prepare: repeated(getRequest('/challenge')),
  },
  {
    name: 'POST /lookup',
    prepare: async (server, count) => (await solvedProofs(server.port, count)).map(lookupRequest),
  },
  { name: 'GET / (page)', prepare: repeated(getRequest('/')) },
  {
    name: 'GET /assets/*.js',
    prepare: repeated(getRequest(scriptPath)),
  },
];

/** Of a server that sends the same bytes. */
const AIM = 0.85;
/** So much CPU time of the bare server, and more of the product's, in each round. */
const ROUND_MICROS = 1_200_000;
const QUICK_SHARE = 0.2;
/** Before these the compiler is still at work. */
const WARM_UP_REQUESTS = 15_000;

/** Microseconds of the server's CPU time per request. */
const cpuPerRequest = async (server: ChildServer, endpoint: Endpoint, count: number): Promise<number> => {
  const requests = await endpoint.prepare(server, count);
  const before = cpuSeconds(server.pid);
  const answered = await runLoad({ port: server.port, requests });
  if (answered !== count) throw new Error(`${endpoint.name}: ${answered} of ${count} were answered.`);
  return ((cpuSeconds(server.pid) - before) / count) * 1e6;
};

const measure = async (
  servers: HttpServers,
  endpoint: Endpoint,
  { quick }: BenchSettings,
): Promise<Figure[]> => {
  const rounds = quick ? 3 : 7;
  await cpuPerRequest(servers.product, endpoint, WARM_UP_REQUESTS);
  const pace = await cpuPerRequest(servers.bare, endpoint, WARM_UP_REQUESTS);
  const count = Math.ceil((ROUND_MICROS * (quick ? QUICK_SHARE : 1)) / pace);
  await cpuPerRequest(servers.sameBytes, endpoint, WARM_UP_REQUESTS);
  const contenders = (['product', 'sameBytes', 'bare'] as const).map((name) => ({
    name,
    round: () => cpuPerRequest(servers[name], endpoint, count),
  }));
  const samples = await interleave(contenders, rounds);
  const product = samplesOf(samples, 'product');
  const [sameBytes, bare] = [samplesOf(samples, 'sameBytes'), samplesOf(samples, 'bare')];
  const share = (what: string, floor: Samples, aim?: number): Figure => {
    const { ratio, pairs } = compare(floor, product);
    return {
      what: `${endpoint.name}: share of node:http, ${what}`,
      value: ratio.toFixed(2),
      spread: spread(pairs, 2),
      rounds,
      aim: aim === undefined ? '' : `≥ ${aim.toFixed(2)}`,
      met: aim === undefined ? null : ratio >= aim,
    };
  };
  const line = (name: string, micros: Samples): Figure => ({
    what: `  CPU per request, ${name}`,
    value: `${median(micros).toFixed(1)} µs`,
    spread: spread(micros, 1),
    rounds,
    aim: '',
    met: null,
  });
  return [
    share('the same bytes', sameBytes, AIM),
    share('no more headers than it needs', bare),
    line('product', product),
    line('node:http, the same bytes', sameBytes),
    line('node:http, bare', bare),
  ];
};

export const httpCost: Benchmark = {
  name: 'http',
  run: async (settings) => {
    await using servers = await startHttpServers();
    using cores = separateCores([servers.product, servers.sameBytes, servers.bare].map(({ pid }) => pid));
    const figures: Figure[] = [];
    for (const endpoint of endpoints(servers)) figures.push(...(await measure(servers, endpoint, settings)));
    return {
      title: 'CPU per request, beside a bare node:http server that does the same cryptography',
      method: [
        `utime+stime of the server process from /proc over the number of requests; ${cores.note}.`,
        '32 connections without pipelining; rounds of at least a second of CPU, the three in turn; ratio of the medians.',
        'Lookups: a cached profile, every request with a proof of its own, solved outside of the timed part.',
        'Pages and files: brotli, from memory. The same bytes: headers too, from one prepared array.',
      ],
      figures,
    };
  },
};
