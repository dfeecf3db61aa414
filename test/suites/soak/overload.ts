import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, describeLatency, median } from '../load/figures.ts';
import { keepPace } from '../load/pace.ts';
import { lookupRequest, RETRY_AFTER_MS, runRawLoad, solvedProofs } from '../load/raw-load.ts';
import { verdictOf } from '../load/visitors.ts';
import type { ReportLine } from '../suite.ts';
import { ROOMY, startWorld, type World } from '../world.ts';

const LEAST_SHARE = 0.8;
const CLIENTS = 200;
const TIMES = 10;
const GOOD_ANSWERS = 5_000;
const ROUNDS = 3;
const WARM_UP = 3_000;
/** Lookups from the platform that may leave in a second, and for how long ten times as many come. */
const EGRESS = 100;
const SECONDS = 10;

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

/** Lookups from the platform, of which only so many may leave in a second; ten times as many come. */
const overloadPool = async (world: World): Promise<ReportLine> => {
  const most = EGRESS * TIMES * (SECONDS + 1);
  const proofs = (await solvedProofs(portOf(world), most)).values();
  const ids = distinctIds(most, 1).values();
  const verdicts = createCounts();
  const refusalsMs: number[] = [];
  let good = 0;
  let broken = 0;
  const startMs = performance.now();
  const offered = await keepPace({ perSecond: EGRESS * TIMES, seconds: SECONDS }, async () => {
    const body = { discord_id: ids.next().value, proof: proofs.next().value };
    try {
      const answer = await world.visitors.next().send('/lookup', body);
      verdicts.add(verdictOf(answer));
      if (answer.status === 503) refusalsMs.push(answer.tookMs);
      else if (answer.status === 200 || answer.status === 404) good += 1;
      else broken += 1;
    } catch (error) {
      verdicts.add(String(error));
      broken += 1;
    }
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
  await using world = await startWorld({ tokens: EGRESS * TIMES, env });
  return [...(await overloadProcess(world)), await overloadPool(world)];
};
