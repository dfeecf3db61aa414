import { findSettingProblems } from '../checks/settings.ts';
import type { JudgeSettings } from '../command.ts';
import { plural } from '../output.ts';

export const checkConfig: JudgeSettings = (settings, file) => {
  const problems = findSettingProblems(settings, file);
  const source = file === null ? 'the environment' : file.path;
  return {
    data: { state: problems.length === 0 ? 'ok' : 'problems', file: file?.path ?? null, problems },
    lines: [
      ...problems,
      problems.length === 0
        ? `The settings from ${source} are all valid.`
        : `${plural(problems.length, 'problem')} in the settings from ${source}.`,
    ],
    foundProblems: problems.length > 0,
  };
};
