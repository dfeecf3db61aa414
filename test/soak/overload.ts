import { setTimeout as delay } from 'node:timers/promises';
import type { ReportLine } from '#test/assurance/report.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, describeLatency, median } from './figures.ts';
import { keepPace } from './pace.ts';
import { runRawClients, type RawResult } from './raw-clients.ts';
import { createVisitors, RefusedError, type Visitors } from './visitor.ts';
import { startWorld, type World } from './world.ts';

const LEAST_SHARE = 0.8;
const CLIENTS = 200;
const TIMES = 10;
const GOOD_ANSWERS = 5_000;
const ROUNDS = 3;
const WARM_UP = 3_000;
const SOLVERS = 20;
/** As the answer asks for. */
const RETRY_AFTER_MS = 2_000;
/** Lookups from the platform that may leave in a second, and for how long ten times as many come. */
const EGRESS = 100;
const SECONDS = 10;
const UNLIMITED = '10000000';
const ROOMY = { CHALLENGES_PER_MINUTE: UNLIMITED, LOOKUPS_PER_MINUTE: UNLIMITED, LOOKUPS_PER_DAY: UNLIMITED };

const waitIfRefused = async (error: unknown): Promise<null> => {
  if (!(error instanceof RefusedError)) throw error;
  return delay(RETRY_AFTER_MS, null);
};

const solveMany = async (visitors: Visitors, count: number): Promise<string[]> => {
  const proofs: string[] = [];
  const solve = async (): Promise<void> => {
    while (proofs.length < count) {
      const proof = await visitors.next().solve().catch(waitIfRefused);
      if (proof !== null) proofs.push(proof);
    }
  };
  await Promise.all(Array.from({ length: SOLVERS }, solve));
  return proofs;
};

const lookupRequest = (id: string, proof: string): string => {
  const body = JSON.stringify({ discord_id: id, proof });
  return (
    'POST /lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
};

type Scenario = { readonly name: string; readonly clients: number; readonly patienceMs: number };

const SCENARIOS: readonly [peak: Scenario, ...others: Scenario[]] = [
  { name: `peak: ${CLIENTS} clients`, clients: CLIENTS, patienceMs: 0 },
  {
    name: `${CLIENTS * TIMES} clients that wait as told`,
    clients: CLIENTS * TIMES,
    patienceMs: RETRY_AFTER_MS,
  },
  { name: `${CLIENTS * TIMES} clients that never wait`, clients: CLIENTS * TIMES, patienceMs: 0 },
];

const goodputOf = (rounds: readonly RawResult[]): number =>
  median(rounds.map(({ good, seconds }) => good / seconds));

/**
 * Cached lookups, which cost nothing but computing: by as many clients as keep the server busy, and by ten times as
 * many. In turn, so that whatever else the machine does treats them alike.
 */
const overloadProcess = async (world: World, visitors: Visitors): Promise<ReportLine[]> => {
  const [id = ''] = distinctIds(1);
  const port = Number(new URL(world.origin).port);
  const run = async ({ clients, patienceMs }: Scenario, goodAnswers: number): Promise<RawResult> => {
    const proofs = await solveMany(visitors, goodAnswers + clients);
    const requests = proofs.values().map((proof) => lookupRequest(id, proof));
    return runRawClients({ port, clients, patienceMs, goodAnswers, requests });
  };
  const results = new Map<Scenario, RawResult[]>(SCENARIOS.map((scenario) => [scenario, []]));
  await run({ ...SCENARIOS[0], clients: 1 }, 1);
  await run(SCENARIOS[0], WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [scenario, rounds] of results) rounds.push(await run(scenario, GOOD_ANSWERS));

  const peak = goodputOf(results.get(SCENARIOS[0]) ?? []);
  return [...results].map(([{ name }, rounds]) => {
    const share = goodputOf(rounds) / peak;
    const others = rounds.flatMap((result) => result.others);
    const refusalsMs = rounds.flatMap((result) => result.refusalsMs);
    const figures =
      `${goodputOf(rounds).toFixed(0)} a second, ${(share * 100).toFixed(0)} % of the peak; ` +
      `${refusalsMs.length} refused, ${describeLatency(refusalsMs)}`;
    const broken = (share < LEAST_SHARE ? 1 : 0) + others.length;
    return { name, count: rounds.length * GOOD_ANSWERS, broken, note: others[0] ?? figures };
  });
};

/** Lookups from the platform, of which only so many may leave in a second; ten times as many come. */
const overloadPool = async (visitors: Visitors): Promise<ReportLine> => {
  const proofs = (await solveMany(visitors, EGRESS * TIMES * SECONDS + SOLVERS)).values();
  const ids = distinctIds(EGRESS * TIMES * SECONDS + SOLVERS, 1).values();
  const verdicts = createCounts();
  const refusalsMs: number[] = [];
  let good = 0;
  let broken = 0;
  const startMs = performance.now();
  const offered = await keepPace({ perSecond: EGRESS * TIMES, seconds: SECONDS }, async () => {
    const body = { discord_id: ids.next().value, proof: proofs.next().value };
    const { status, code, tookMs } = await visitors.next().post('/lookup', body);
    verdicts.add(`${status} ${code ?? ''}`.trim());
    if (status === 503) refusalsMs.push(tookMs);
    else if (status === 200 || status === 404) good += 1;
    else broken += 1;
  });
  const perSecond = good / ((performance.now() - startMs) / 1_000);
  const share = perSecond / EGRESS;
  return {
    name: `${EGRESS * TIMES} lookups a second from a platform that takes ${EGRESS}`,
    count: offered,
    broken: broken + (share < LEAST_SHARE ? 1 : 0),
    note:
      `${perSecond.toFixed(0)} a second, ${(share * 100).toFixed(0)} %; ${verdicts.describe()}; ` +
      `refusals ${describeLatency(refusalsMs)}`,
  };
};

export const runOverload = async (): Promise<ReportLine[]> => {
  const env = { ...ROOMY, EGRESS_PER_SECOND: String(EGRESS) };
  await using world = await startWorld({ chaos: 0, tokens: EGRESS * TIMES, env });
  await using visitors = createVisitors(() => world.origin);
  return [...(await overloadProcess(world, visitors)), await overloadPool(visitors)];
};
