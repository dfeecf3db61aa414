import { distinctIds } from '#test/support/many-lookups.ts';
import { describeLatency, median } from '../load/figures.ts';
import { lookupRequest, RETRY_AFTER_MS, runRawLoad, solvedProofs } from '../load/raw-load.ts';
import type { ReportLine } from '../suite.ts';
import { ROOMY, startWorld } from '../world.ts';

const LEAST_SHARE = 0.8;
const CLIENTS = 200;
const TIMES = 10;
const GOOD_ANSWERS = 5_000;
const ROUNDS = 3;
const [SOMEBODY = ''] = distinctIds(1);

/** Lookups of one profile until so many are answered; those that are refused are sent again. */
const lookUpCached = async (port: number, clients: number, waitMs = 0, goodAnswers = GOOD_ANSWERS) => {
  const proofs = await solvedProofs(port, goodAnswers + clients);
  const over = new AbortController();
  const refusalsMs: number[] = [];
  const others: string[] = [];
  let good = 0;
  const { seconds } = await runRawLoad({
    port,
    connections: clients,
    requests: proofs.map((proof) => lookupRequest(SOMEBODY, proof)),
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

/**
 * Cached lookups, which cost nothing but computing: by as many clients as keep the server busy, and by ten times as
 * many. In turn, so that whatever else the machine does treats them alike.
 */
export const runOverload = async (): Promise<ReportLine[]> => {
  await using world = await startWorld({ tokens: 1, env: ROOMY });
  const port = Number(new URL(world.origin).port);
  await lookUpCached(port, 1, 0, 1);
  const peaks: number[] = [];
  const lines: ReportLine[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    peaks.push((await lookUpCached(port, CLIENTS)).perSecond);
    for (const waitMs of [RETRY_AFTER_MS, 0]) {
      const { perSecond, refusalsMs, others } = await lookUpCached(port, CLIENTS * TIMES, waitMs);
      const share = perSecond / median(peaks);
      lines.push({
        name: `${CLIENTS * TIMES} clients that ${waitMs === 0 ? 'never wait' : 'wait as told'}, round ${round}`,
        count: GOOD_ANSWERS,
        broken: (share < LEAST_SHARE ? 1 : 0) + others.length,
        note:
          others[0] ??
          `${(share * 100).toFixed(0)} % of the peak; ${refusalsMs.length} refused, ${describeLatency(refusalsMs)}`,
      });
    }
  }
  return lines;
};
