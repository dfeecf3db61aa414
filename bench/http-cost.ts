import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { getRequest, lookupRequest, runRawLoad, solvedProofs } from '#test/suites/load/raw-load.ts';
import { cpuSeconds } from '#test/suites/process-figures.ts';
import type { RecordedAnswer } from './bare-server.ts';
import { atLeast, interleave, ratio, type Benchmark, type Figure } from './benchmark.ts';
import { PROFILE_ID, separateCores, startBare, startProduct, type Server } from './server.ts';

/** Of a server that sends the same bytes. */
const AIM = 0.85;
/** CPU time of the bare server in each round; the product needs more. */
const ROUND_MICROS = 1_200_000;
const QUICK_SHARE = 0.2;
/** Warm-up: before this the compiler is still at work. */
const WARM_UP_REQUESTS = 15_000;
/** Node writes these by itself. */
const OF_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** The product, and a floor that sends the same bytes. */
type Servers = Readonly<Record<'product' | 'bare', Server>>;

type Endpoint = {
  readonly name: string;
  /** Made before the clock starts. */
  readonly prepare: (server: Server, count: number) => string[] | Promise<string[]>;
};

const get = (name: string, path: string): Endpoint => ({
  name,
  prepare: (_server, count) => Array.from({ length: count }, () => getRequest(path)),
});

const endpoints = (scriptPath: string): readonly Endpoint[] => [
  get('GET /challenge', '/challenge'),
  {
    name: 'POST /lookup',
    prepare: async ({ port }, count) =>
      (await solvedProofs(port, count)).map((proof) => lookupRequest(PROFILE_ID, proof)),
  },
  get('GET / (page)', '/'),
  get('GET /assets/*.js', scriptPath),
];

const record = async (port: number, path: string, proof?: string): Promise<RecordedAnswer> => {
  const headers = { 'accept-encoding': 'br', 'content-type': 'application/json' };
  const asked = request({ port, path, headers, method: proof === undefined ? 'GET' : 'POST' });
  asked.end(proof === undefined ? undefined : JSON.stringify({ discord_id: PROFILE_ID, proof }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { rawHeaders } = response;
  return {
    headers: rawHeaders.filter((_, n) => !OF_NODE.has((rawHeaders[n & ~1] ?? '').toLowerCase())),
    body: (await buffer(response)).toString('base64'),
  };
};

const findScript = async (port: number): Promise<string> => {
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const path = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  if (path === undefined) throw new Error('The page has no script.');
  return path;
};

const recordAll = async (port: number, scriptPath: string): Promise<Record<string, RecordedAnswer>> => {
  const [first = '', second = ''] = await solvedProofs(port, 2);
  await record(port, '/lookup', first);
  // From then on answers about this profile have an `age` header.
  await delay(1_100);
  return {
    '/': await record(port, '/'),
    '/challenge': await record(port, '/challenge'),
    '/lookup': await record(port, '/lookup', second),
    [scriptPath]: await record(port, scriptPath),
  };
};

/** Microseconds of the server's CPU time per request. */
const cpuPerRequest = async (server: Server, endpoint: Endpoint, count: number): Promise<number> => {
  const requests = await endpoint.prepare(server, count);
  const before = cpuSeconds(server.pid);
  const { answered } = await runRawLoad({ port: server.port, requests });
  if (answered !== count) throw new Error(`${endpoint.name}: ${answered} of ${count} were answered.`);
  return ((cpuSeconds(server.pid) - before) / count) * 1e6;
};

const measure = async (servers: Servers, endpoint: Endpoint, quick: boolean): Promise<Figure[]> => {
  const cost = (name: keyof Servers, count: number) => () => cpuPerRequest(servers[name], endpoint, count);
  await cost('product', WARM_UP_REQUESTS)();
  const micros = await cost('bare', WARM_UP_REQUESTS)();
  const count = Math.ceil((ROUND_MICROS * (quick ? QUICK_SHARE : 1)) / micros);
  const { product, bare } = await interleave(quick ? 3 : 7, {
    product: cost('product', count),
    bare: cost('bare', count),
  });
  const perRequest = { unit: 'µs', digits: 1 };
  return [
    { what: `${endpoint.name}: share of node:http`, ...ratio(bare, product), aim: atLeast(AIM) },
    { what: '  CPU per request, product', samples: product, ...perRequest },
    { what: '  CPU per request, node:http', samples: bare, ...perRequest },
  ];
};

export const httpCost: Benchmark = {
  name: 'http',
  title: 'CPU per request, compared with a bare node:http server that does the same cryptography',
  run: async ({ quick }) => {
    using folder = temporaryFolder();
    await using product = await startProduct();
    const scriptPath = await findScript(product.port);
    const answers = join(folder.path, 'answers.json');
    writeFileSync(answers, JSON.stringify(await recordAll(product.port, scriptPath)));
    await using bare = await startBare('--answers', answers);
    using cores = separateCores([product, bare]);
    const figures: Figure[] = [];
    for (const endpoint of endpoints(scriptPath))
      figures.push(...(await measure({ product, bare }, endpoint, quick)));
    return {
      method: [
        `utime+stime of the server process from /proc over the number of requests; ${cores.note}.`,
        '32 connections without pipelining; rounds of at least a second of CPU, both in turn; ratio of the medians.',
        'Lookups: a cached profile, every request with a proof of its own, solved outside of the timed part.',
        'Pages and files: brotli, from memory; headers from one prepared array.',
      ],
      figures,
    };
  },
};
