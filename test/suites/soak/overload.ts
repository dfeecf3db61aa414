import { distinctIds } from '#test/support/many-lookups.ts';
import { describeLatency, median } from '../load/figures.ts';
import { lookupRequest, RETRY_AFTER_MS, runRawLoad, solvedProofs } from '../load/raw-load.ts';
import type { ReportLine } from '../suite.ts';
import { ROOMY, startWorld, type World } from '../world.ts';

const LEAST_SHARE = 0.8;
const CLIENTS = 200;
const TIMES = 10;
const GOOD_ANSWERS = 5_000;
const ROUNDS = 3;
const WARM_UP = 3_000;

type Scenario = { readonly name: string; readonly clients: number; readonly waitMs: number };
type Round = {
  readonly perSecond: number;
  readonly refusalsMs: readonly number[];
  readonly others: readonly string[];
};

const SCENARIOS: readonly [peak: Scenario, ...others: Scenario[]] = [
  { name: `peak: ${CLIENTS} clients`, clients: CLIENTS, waitMs: 0 },
  { name: `${CLIENTS * TIMES} clients that wait as told`, clients: CLIENTS * TIMES, waitMs: RETRY_AFTER_MS },
  { name: `${CLIENTS * TIMES} clients that never wait`, clients: CLIENTS * TIMES, waitMs: 0 },
];

const portOf = ({ origin }: World): number => Number(new URL(origin).port);

/** Lookups of one profile until so many are answered; those that are refused are sent again. */
const lookUpCached = async (
  world: World,
  { clients, waitMs }: Scenario,
  goodAnswers: number,
): Promise<Round> => {
  const port = portOf(world);
  const [id = ''] = distinctIds(1);
  const proofs = await solvedProofs(port, goodAnswers + clients);
  const over = new AbortController();
  const refusalsMs: number[] = [];
  const others: string[] = [];
  let good = 0;
  const { seconds } = await runRawLoad({
    port,
    connections: clients,
    requests: proofs.map((proof) => lookupRequest(id, proof)),
    over: over.signal,
    onAnswer: ({ status, body, tookMs }) => {
      if (status === 503 && body.includes('"overloaded"')) {
        refusalsMs.push(tookMs);
        return waitMs;
      }
      if (status === 200) good += 1;
      else others.push(body);
      if (good >= goodAnswers) over.abort();
      return undefined;
    },
  });
  return { perSecond: good / seconds, refusalsMs, others };
};

const goodputOf = (rounds: readonly Round[]): number => median(rounds.map(({ perSecond }) => perSecond));

/**
 * Cached lookups, which cost nothing but computing: by as many clients as keep the server busy, and by ten times as
 * many. In turn, so that whatever else the machine does treats them alike.
 */
const overloadProcess = async (world: World): Promise<ReportLine[]> => {
  const [peakScenario] = SCENARIOS;
  const results = new Map<Scenario, Round[]>(SCENARIOS.map((scenario) => [scenario, []]));
  await lookUpCached(world, { ...peakScenario, clients: 1 }, 1);
  await lookUpCached(world, peakScenario, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [scenario, rounds] of results) rounds.push(await lookUpCached(world, scenario, GOOD_ANSWERS));

  const peak = goodputOf(results.get(peakScenario) ?? []);
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

export const runOverload = async (): Promise<ReportLine[]> => {
  await using world = await startWorld({ tokens: 1, env: ROOMY });
  return overloadProcess(world);
};
