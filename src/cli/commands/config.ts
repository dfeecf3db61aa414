import { EXIT } from '#server/operator-error.ts';
import { findSettingProblems } from '../checks/settings.ts';
import type { RunWithoutSettings } from '../command.ts';
import { plural, table, worstOf } from '../output.ts';

export const checkConfig: RunWithoutSettings = async ({ readSettings, settingsSource }) => {
  const settings = await readSettings();
  const source = await settingsSource();
  const problems = findSettingProblems(settings, source);
  const from = source.file?.path ?? 'the environment';
  const failures = problems.filter(({ state }) => state === 'failed').length;
  const counts = `${plural(failures, 'problem')} that ${failures === 1 ? 'stops' : 'stop'} the server from starting, ${plural(problems.length - failures, 'warning')}`;
  return {
    data: { file: source.file?.path ?? null, problems },
    lines:
      problems.length === 0
        ? [`The settings from ${from} are all valid.`]
        : [...table(['STATE', 'PROBLEM'], problems), `The settings from ${from}: ${counts}.`],
    state: worstOf(problems.map(({ state }) => state)),
    exitCode: EXIT.configuration,
  };
};
