import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { createTally, type FuzzResult } from './tally.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { describeLatency } from '../suites/load/figures.ts';
import { FLOODS, startFlood, type FloodName } from './flood.ts';
import { solvedProofs } from '../suites/load/raw-load.ts';
import type { Part } from '../suites/suite.ts';
import { residentBytes } from '../suites/process-figures.ts';
import { ROOMY, startWorld, type World } from '../suites/world.ts';

type Situation = {
  readonly name: string;
  /** Resolves when it has begun; disposing of it ends it. */
  readonly begin: (world: World) => Promise<AsyncDisposable>;
};

const flooded = (name: FloodName): Situation => ({
  name: `${name === 'good proofs' ? 'a hundred networks flood' : 'one address floods'} it with ${name}`,
  begin: ({ origin }) => startFlood(name, Number(new URL(origin).port)),
});

/** Whoever may hold up the whole process, one row each. */
const SITUATIONS: readonly Situation[] = [
  { name: 'nothing happens', begin: async () => new AsyncDisposableStack() },
  ...(Object.keys(FLOODS) as FloodName[]).map(flooded),
];

/** After this, one-time work such as compressing a page is done. */
const WARM_UP = 10;
const VISITS = 300;
const BETWEEN_MS = 20;
/** A part ends after this time, whatever happens. */
const MAX_MS = 60_000;
const MAX_GROWTH_MIB = 384;

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

/** Visits at a steady pace while it goes on, and how much memory it takes. */
const visitDuring = async ({ begin }: Situation): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 1, env: { ...ROOMY, TRUSTED_PROXIES: '' } });
  await using parts = new AsyncDisposableStack();
  const dispatcher = parts.adopt(new Agent({ localAddress: '127.9.9.9' }), (agent) => agent.destroy());
  const proofs = await solvedProofs(Number(new URL(world.origin).port), WARM_UP + VISITS);
  for (const proof of proofs.splice(0, WARM_UP)) await visit(world, dispatcher, proof);
  const tally = createTally();
  const [pagesMs, lookupsMs]: [number[], number[]] = [[], []];
  const beforeBytes = residentBytes(world.server.pid);
  let mostBytes = beforeBytes;
  {
    await using _situation = await begin(world);
    const untilMs = performance.now() + MAX_MS;
    for (const proof of proofs) {
      if (performance.now() > untilMs) break;
      const { page, lookup } = await visit(world, dispatcher, proof);
      pagesMs.push(page.tookMs);
      lookupsMs.push(lookup.tookMs);
      tally.check(
        page.status === 200 && [200, 503].includes(lookup.status),
        () => `${page.status}, ${lookup.status}`,
      );
      mostBytes = Math.max(mostBytes, residentBytes(world.server.pid));
      await pause(BETWEEN_MS);
    }
  }
  const grownMiB = (mostBytes - beforeBytes) / 2 ** 20;
  const figures = `page ${describeLatency(pagesMs)}; lookup ${describeLatency(lookupsMs)}; grew by ${grownMiB.toFixed(0)} MiB`;
  tally.check(grownMiB < MAX_GROWTH_MIB, () => figures);
  return { note: figures, ...tally.result() };
};

export const otherVisitors = SITUATIONS.map((situation): Part<unknown> => ({
  name: `another visitor while ${situation.name}`,
  run: () => visitDuring(situation),
}));
