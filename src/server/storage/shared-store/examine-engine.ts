import type { Clock } from '#server/system.ts';
import type { EngineClock } from './engine-clock.ts';
import { findEngineProblem, readEngineReport, type EngineReport } from './engine-report.ts';
import type { OpenSession } from './session.ts';

export type Examined = { readonly report: EngineReport; readonly clockLeapt: boolean };

export type ExaminationDeps = {
  readonly clock: Clock;
  readonly engineClock: EngineClock;
};

const WHO_AM_I = "return redis.call('INFO', 'server')";

/** Rejects with an `EngineProblem` where this engine is not fit for us. */
export const createExamination = ({ clock, engineClock }: ExaminationDeps) => {
  let report = readEngineReport('');

  /** With what the last examination found. */
  const checkClock = async (session: OpenSession): Promise<Examined> => {
    const askedMs = clock.monotonicMs();
    const [seconds, microseconds] = (await session.send('TIME')) as [string, string];
    const engineMs = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    const problem = findEngineProblem(report, engineMs - clock.wallMs());
    const heard = engineClock.heard(engineMs, askedMs, clock.monotonicMs());
    if (problem !== null) throw problem;
    return { report, clockLeapt: heard === 'leapt' };
  };

  return {
    checkClock,
    examine: async (session: OpenSession): Promise<Examined> => {
      const [info] = await Promise.all([session.send('INFO'), session.send('EVAL', WHO_AM_I, '0')]);
      const { runId } = report;
      report = readEngineReport(String(info));
      if (report.runId !== runId) engineClock.forget();
      return checkClock(session);
    },
  };
};
