import { setTimeout as delay } from 'node:timers/promises';
import type { ReportLine } from '#test/assurance/report.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { createCounts, type Counts } from './figures.ts';
import { createVisitors, faultOf, RefusedError, type Visitors } from './visitor.ts';
import { startWorld, type World } from './world.ts';

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

type Run = {
  readonly visitors: Visitors;
  readonly answers: Counts;
  readonly dropped: Counts;
  refused: number;
};

const POLL_MS = 20;
const PATIENCE_MS = 500;
const TOKENS = 100;
const ROUNDS = 3;

/** Lookups one after the other. True if the server was no longer to be reached. */
const lookUpOnce = async (run: Run, id: string): Promise<boolean> => {
  try {
    const visitor = run.visitors.next();
    const answer = await visitor.post('/lookup', { discord_id: id, proof: await visitor.solve() });
    run.answers.add(faultOf(answer) ?? `${answer.status} ${answer.code ?? ''}`.trim());
    return false;
  } catch (error) {
    // Refused for overload, on a machine that has little time for it: an answer, too.
    if (error instanceof RefusedError) {
      run.answers.add(error.message);
      await delay(PATIENCE_MS);
      return false;
    }
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') run.refused += 1;
    else run.dropped.add(code);
    return true;
  }
};

const untilNotReady = async ({ readAdmin }: World): Promise<void> => {
  while ((await readAdmin('/readyz')).status === 200) await delay(POLL_MS);
};

const total = (counts: Counts): number => counts.values().reduce((sum, count) => sum + count, 0);

/** Tells a server to stop while clients look things up as fast as they can. */
export const stopUnderLoad = async (options: StopOptions): Promise<Stop> => {
  await using world = await startWorld({ chaos: 0, tokens: TOKENS, env: options.env ?? {} });
  await using visitors = createVisitors(() => world.origin);
  const run: Run = { visitors, answers: createCounts(), dropped: createCounts(), refused: 0 };
  const ids = distinctIds(500);
  const turnedAway = new AbortController();
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    for (let n = client; !turnedAway.signal.aborted; n += options.clients)
      if (await lookUpOnce(run, ids[n % ids.length] ?? '')) return;
  });
  while (total(run.answers) < options.answersBefore && run.dropped.size === 0) await delay(POLL_MS);
  const before = total(run.answers);
  world.server.signal('SIGTERM');
  if (options.heedful) {
    await untilNotReady(world);
    turnedAway.abort();
  }
  await Promise.all(clients);
  const { exitCode } = await world.server.ended;
  const { answers, dropped, refused } = run;
  return { answers, dropped, refused, exitCode, lateAnswers: total(answers) - before };
};

const line = (name: string, stops: readonly Stop[], broken: (stop: Stop) => number): ReportLine => {
  const sum = (read: (stop: Stop) => number): number => stops.reduce((all, stop) => all + read(stop), 0);
  const drops = stops.map(({ dropped }) => dropped.describe()).filter((text) => text !== '');
  return {
    name,
    count: sum(({ answers }) => total(answers)),
    broken: sum(broken),
    note: [
      `${sum(({ lateAnswers }) => lateAnswers)} after the signal`,
      `dropped: ${drops.join(', ') || 'none'}`,
      `refused connections: ${sum(({ refused }) => refused)}`,
      `answers: ${stops.map(({ answers }) => answers.describe()).join(' + ')}`,
      `exit codes ${stops.map(({ exitCode }) => exitCode).join(' ')}`,
    ].join('; '),
  };
};

const isStrange = (verdict: string): boolean => !['200', '404', '503 overloaded'].includes(verdict);
const faults = ({ answers, exitCode }: Stop): number =>
  answers.keys().filter(isStrange).toArray().length + (exitCode === 0 ? 0 : 1);

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
    line('SIGTERM under load', heedful, (stop) => faults(stop) + total(stop.dropped) + stop.refused),
    line('SIGTERM, clients that do not heed it', stubborn, faults),
  ];
};
