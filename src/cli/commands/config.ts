import { EXIT } from '#server/operator-error.ts';
import { findSettingProblems } from '../checks/settings.ts';
import type { RunCommand } from '../command.ts';
import { plural, table, worstOf } from '../output.ts';

/** Of settings that can be read: others are refused, as by every command. */
export const check: RunCommand = async ({ config, settingsSource }) => {
  const source = await settingsSource();
  const problems = findSettingProblems(config, source);
  const from = `The settings from ${source.file?.path ?? 'the environment'}`;
  return {
    data: { file: source.file?.path ?? null, problems },
    lines: [
      ...(problems.length === 0 ? [] : table(['STATE', 'PROBLEM'], problems)),
      problems.length === 0 ? `${from} are all valid.` : `${from}: ${plural(problems.length, 'problem')}.`,
    ],
    state: worstOf(problems.map(({ state }) => state)),
    exitCode: EXIT.configuration,
  };
};
