import { EXIT } from '#server/operator-error.ts';
import { findSettingProblems } from '../checks/settings.ts';
import type { JudgeSettings } from '../command.ts';
import { plural, worstOf, type Line } from '../output.ts';

/** Ends like a start of the server: with 78 if that would be refused, and with 0 if there are warnings only. */
export const checkConfig: JudgeSettings = (settings, source) => {
  const problems = findSettingProblems(settings, source);
  const state = worstOf(problems.map((problem) => problem.state));
  const from = source.file?.path ?? 'the environment';
  const failures = problems.filter((problem) => problem.state === 'failed').length;
  return {
    data: { file: source.file?.path ?? null, problems },
    lines: [
      ...problems.map(({ state, problem }): Line => ({
        kind: 'state',
        text: `${state.padEnd(7)}  ${problem}`,
      })),
      problems.length === 0
        ? `The settings from ${from} are all valid.`
        : `The settings from ${from}: ${plural(failures, 'problem')} that stop the server from starting, ${plural(problems.length - failures, 'warning')}.`,
    ],
    state,
    exitCode: EXIT.configuration,
  };
};
