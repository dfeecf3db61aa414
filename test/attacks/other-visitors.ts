import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createTally, type FuzzResult } from './tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { describeLatency, percentile } from '../suites/load/figures.ts';
import { startFlood, type FloodName } from './flood.ts';
import { solvedProofs } from '../suites/load/raw-load.ts';
import type { Part } from '../suites/suite.ts';
import { ROOMY, startWorld, type World } from '../suites/world.ts';
import { HELD_UP_STORAGE } from './held-up-storage.ts';
import { leaveLogUnread } from './unread-log.ts';

export type Situation = {
  readonly name: string;
  readonly whyNot?: Part<unknown>['whyNot'];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves when it has begun; disposing of it ends it. */
  readonly begin: (world: World) => Promise<AsyncDisposable>;
};

const flooded = (name: FloodName): Situation => ({
  name: `${name === 'good proofs' ? 'a hundred networks flood' : 'one address floods'} it with ${name}`,
  begin: ({ origin }) => startFlood(name, Number(new URL(origin).port)),
});

/** Those that may hold up the whole process, one row each. */
const SITUATIONS: readonly Situation[] = [
  { name: 'nothing happens', begin: async () => new AsyncDisposableStack() },
  flooded('pipelines'),
  flooded('odd bodies and heads'),
  flooded('previews'),
  flooded('pages and errors'),
  flooded('junk proofs'),
  flooded('junk bodies'),
  flooded('challenges'),
  flooded('good proofs'),
  ...HELD_UP_STORAGE,
  { name: 'nobody reads the log', begin: leaveLogUnread },
];

/** After this, one-time work such as compressing a page is done. */
const WARM_UP = 10;
const VISITS = 300;
const BETWEEN_MS = 20;
/** A part ends after this time, whatever happens. */
const MAX_MS = 60_000;
const MAX_P99_MS = 100;
const MAX_BLOCKED_MS = 50;
const PROBE = import.meta.resolve('./loop-probe.ts');

type Block = { readonly atMs: number; readonly blockedMs: number; readonly computedMs: number };

/** The longest time since then for which the server's event loop was blocked. */
const longestBlock = (file: string, sinceMs: number): Block => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const blocks = lines.map((line): Block => {
    const [atMs = 0, blockedMs = 0, computedMs = 0] = line.split(' ').map(Number);
    return { atMs, blockedMs, computedMs };
  });
  const none = { atMs: sinceMs, blockedMs: 0, computedMs: 0 };
  return blocks
    .filter(({ atMs }) => atMs > sinceMs)
    .reduce((longest, block) => (block.blockedMs > longest.blockedMs ? block : longest), none);
};

/** Somebody at another address: a page over a new connection, then a profile that is cached. */
const visit = async ({ origin }: World, dispatcher: Agent, proof: string) => {
  const [discord_id] = distinctIds(1);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ discord_id, proof });
  const time = async (path: string, options: object) => {
    const startMs = performance.now();
    const answer = await request(`${origin}${path}`, { dispatcher, ...options });
    await answer.body.dump();
    return { status: answer.statusCode, tookMs: performance.now() - startMs };
  };
  const page = await time('/', { reset: true, headers: { 'accept-encoding': 'br' } });
  return { page, lookup: await time('/lookup', { method: 'POST', headers, body }) };
};

/** Visits at a steady pace while it goes on, and how long the server did nothing else. */
const visitDuring = async ({ begin, env }: Situation): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const blocks = join(folder.path, 'blocks');
  const probe = { NODE_OPTIONS: `--import=${PROBE}`, LOOP_PROBE: blocks };
  await using world = await startWorld({
    tokens: 1,
    env: { ...ROOMY, TRUSTED_PROXIES: '', ...probe, ...env },
  });
  await using parts = new AsyncDisposableStack();
  const dispatcher = parts.adopt(new Agent({ localAddress: '127.9.9.9' }), (agent) => agent.destroy());
  const proofs = await solvedProofs(Number(new URL(world.origin).port), WARM_UP + VISITS);
  for (const proof of proofs.splice(0, WARM_UP)) await visit(world, dispatcher, proof);
  const tally = createTally();
  const [pagesMs, lookupsMs]: [number[], number[]] = [[], []];
  const sinceMs = Date.now();
  {
    await using _situation = await begin(world);
    const untilMs = performance.now() + MAX_MS;
    for (const proof of proofs) {
      if (performance.now() > untilMs) break;
      const { page, lookup } = await visit(world, dispatcher, proof);
      pagesMs.push(page.tookMs);
      lookupsMs.push(lookup.tookMs);
      tally.check(page.status === 200 && lookup.status === 200, () => `${page.status}, ${lookup.status}`);
      await pause(BETWEEN_MS);
    }
  }
  const { blockedMs, computedMs } = longestBlock(blocks, sinceMs);
  const figures = `page ${describeLatency(pagesMs)}; lookup ${describeLatency(lookupsMs)}; longest block ${blockedMs.toFixed(0)} ms (${computedMs.toFixed(0)} computing)`;
  for (const samples of [pagesMs, lookupsMs])
    tally.check(percentile(samples, 0.99) < MAX_P99_MS, () => figures);
  tally.check(blockedMs < MAX_BLOCKED_MS, () => figures);
  return { note: figures, ...tally.result() };
};

export const otherVisitors = SITUATIONS.map((situation): Part<unknown> => ({
  name: `another visitor while ${situation.name}`,
  whyNot: situation.whyNot ?? (() => null),
  run: () => visitDuring(situation),
}));
