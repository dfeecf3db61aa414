import { setTimeout as delay } from 'node:timers/promises';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, sum, type Counts } from '../load/figures.ts';
import { faultOf, verdictOf, type Visitors } from '../load/visitors.ts';
import type { ReportLine } from '../suite.ts';
import { startWorld, type World } from '../world.ts';

export type StopOptions = {
  readonly clients: number;
  readonly answersBefore: number;
  /** Clients that heed `/readyz`, as a balancer does, or that go on until nobody lets them in. */
  readonly heedful: boolean;
  readonly env?: Readonly<Record<string, string>>;
};

export type Stop = {
  readonly answers: Counts;
  /** Of those, after the signal. */
  readonly lateAnswers: number;
  /** Connections that the machine turned away because nobody listened any more. */
  readonly refused: number;
  /** Requests that got no whole answer, by what happened to them. */
  readonly dropped: Counts;
  readonly exitCode: number | null;
};

type Tally = Pick<Stop, 'answers' | 'dropped'> & { refused: number };

const POLL_MS = 20;
const AFTER_OVERLOAD_MS = 500;
const TOKENS = 100;
const ROUNDS = 3;

/** False if the server was no longer to be reached. */
const lookUpOnce = async (visitors: Visitors, tally: Tally, discord_id: string): Promise<boolean> => {
  try {
    const answer = await visitors.next().ask('/lookup', { discord_id });
    tally.answers.add(faultOf(answer) ?? verdictOf(answer));
    if (answer.code === 'overloaded') await delay(AFTER_OVERLOAD_MS);
    return true;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') tally.refused += 1;
    else tally.dropped.add(code);
    return false;
  }
};

const untilNotReady = async ({ readAdmin }: World): Promise<void> => {
  while ((await readAdmin('/readyz')).status === 200) await delay(POLL_MS);
};

/** Tells a server to stop while clients look things up as fast as they can. */
export const stopUnderLoad = async (options: StopOptions): Promise<Stop> => {
  await using world = await startWorld({ tokens: TOKENS, env: options.env ?? {} });
  const tally: Tally = { answers: createCounts(), dropped: createCounts(), refused: 0 };
  const ids = distinctIds(500);
  const turnedAway = new AbortController();
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    for (let n = client; !turnedAway.signal.aborted; n += options.clients)
      if (!(await lookUpOnce(world.visitors, tally, ids[n % ids.length] ?? ''))) return;
  });
  while (tally.answers.total() < options.answersBefore && tally.dropped.size === 0) await delay(POLL_MS);
  const before = tally.answers.total();
  world.server.signal('SIGTERM');
  if (options.heedful) {
    await untilNotReady(world);
    turnedAway.abort();
  }
  await Promise.all(clients);
  const { exitCode } = await world.server.ended;
  return { ...tally, exitCode, lateAnswers: tally.answers.total() - before };
};

const line = (name: string, stops: readonly Stop[], broken: (stop: Stop) => number): ReportLine => {
  const drops = stops.map(({ dropped }) => dropped.describe()).filter((text) => text !== '');
  return {
    name,
    count: sum(stops.map(({ answers }) => answers.total())),
    broken: sum(stops.map(broken)),
    note: [
      `${sum(stops.map(({ lateAnswers }) => lateAnswers))} after the signal`,
      `dropped: ${drops.join(', ') || 'none'}`,
      `refused connections: ${sum(stops.map(({ refused }) => refused))}`,
      `answers: ${stops.map(({ answers }) => answers.describe()).join(' + ')}`,
      `exit codes ${stops.map(({ exitCode }) => exitCode).join(' ')}`,
    ].join('; '),
  };
};

const isUnexpected = (verdict: string): boolean => !['200', '404', '503 overloaded'].includes(verdict);
const faults = ({ answers, exitCode }: Stop): number =>
  [...answers.keys()].filter(isUnexpected).length + (exitCode === 0 ? 0 : 1);

/**
 * Connections that the machine has taken, but not yet handed over when the listener closes, are reset by the machine:
 * nobody can answer those. So only clients that heed `/readyz` must not lose a single request.
 */
export const runStops = async (): Promise<ReportLine[]> => {
  const options = { clients: 20, answersBefore: 500 };
  const env = { STOP_DELAY_SECONDS: '5' };
  const heedful: Stop[] = [];
  const stubborn: Stop[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    heedful.push(await stopUnderLoad({ ...options, heedful: true, env }));
    stubborn.push(await stopUnderLoad({ ...options, heedful: false }));
  }
  return [
    line('SIGTERM under load', heedful, (stop) => faults(stop) + stop.dropped.total() + stop.refused),
    line('SIGTERM, clients that do not heed it', stubborn, faults),
  ];
};
