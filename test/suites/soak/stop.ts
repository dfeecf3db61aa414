import { setTimeout as delay } from 'node:timers/promises';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, sum, type Counts } from '../load/figures.ts';
import { faultOf, verdictOf } from '../load/visitors.ts';
import type { ReportLine } from '../suite.ts';
import { startWorld } from '../world.ts';

type StopOptions = {
  readonly clients: number;
  readonly answersBefore: number;
  /** Clients that respect `/readyz`, as a balancer does, or that continue until they are turned away. */
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

const POLL_MS = 20;
const AFTER_OVERLOAD_MS = 500;
const TOKENS = 100;
const ROUNDS = 3;

/** Tells a server to stop while clients look things up as fast as they can. */
export const stopUnderLoad = async (options: StopOptions): Promise<Stop> => {
  await using world = await startWorld({ tokens: TOKENS, env: options.env ?? {} });
  const [answers, dropped] = [createCounts(), createCounts()];
  let refused = 0;
  const ids = distinctIds(500);
  const turnedAway = new AbortController();
  /** Until it is turned away, or the server can no longer be reached. */
  const keepLookingUp = async (first: number): Promise<void> => {
    for (let n = first; !turnedAway.signal.aborted; n += options.clients) {
      const answer = await world.visitors.next().ask('/lookup', { discord_id: ids[n % ids.length] });
      answers.add(faultOf(answer) ?? verdictOf(answer));
      if (answer.code === 'overloaded') await delay(AFTER_OVERLOAD_MS);
    }
  };
  const clients = Array.from({ length: options.clients }, (_, client) =>
    keepLookingUp(client).catch((error: unknown) => {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') refused += 1;
      else dropped.add(code);
    }),
  );
  while (answers.total() < options.answersBefore && dropped.size === 0) await delay(POLL_MS);
  const before = answers.total();
  world.server.signal('SIGTERM');
  if (options.heedful) {
    while ((await world.readAdmin('/readyz')).status === 200) await delay(POLL_MS);
    turnedAway.abort();
  }
  await Promise.all(clients);
  const { exitCode } = await world.server.ended;
  return { answers, dropped, refused, exitCode, lateAnswers: answers.total() - before };
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
 * nobody can answer those. So only clients that respect `/readyz` must not lose a single request.
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
