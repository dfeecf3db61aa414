import { findSettingProblems } from '../checks/settings.ts';
import type { Command } from '../command.ts';
import { plural } from '../output.ts';

export const checkConfig: Command = {
  name: 'config check',
  summary: 'names everything that is wrong with the settings, or seems not to be meant; changes nothing',
  judge: (settings, file) => {
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
  },
};
