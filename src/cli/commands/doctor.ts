import { check, type Check } from '../checks/check.ts';
import { checkConnections } from '../checks/connections.ts';
import { checkRecords } from '../checks/records.ts';
import { findSettingProblems } from '../checks/settings.ts';
import { failed, type RunCommand, type CommandContext } from '../command.ts';
import { plural, table } from '../output.ts';

export const doctor: RunCommand = async (context) => {
  const checks: Check[] = [
    await check('settings', () => lookAtSettings(context)),
    ...(await checkRecords(context)),
    ...(await checkConnections(context)),
  ];
  const problems = checks.filter(({ ok }) => !ok);
  return {
    data: { problems: problems.length, checks },
    lines: [
      ...table(
        ['STATE', 'WHAT', 'FINDING'],
        checks.map(({ what, ok, finding }) => [ok ? 'ok' : 'problem', what, finding]),
      ),
      ...problems.map(({ what, remedy }) => remedy !== undefined && `Fix the ${what}: ${remedy}`),
      problems.length === 0 ? 'Nothing is wrong.' : `${plural(problems.length, 'problem')}.`,
    ],
    foundProblems: problems.length > 0,
  };
};

const lookAtSettings = async ({ config, settingsFile }: CommandContext): Promise<string> => {
  const problems = findSettingProblems({ ok: true, config }, await settingsFile());
  if (problems.length === 0) return 'all valid';
  throw failed(plural(problems.length, 'problem'), 'see ops config check.');
};
