import type { Check } from '../checks/check.ts';
import { checkConnections } from '../checks/connections.ts';
import { checkRecords } from '../checks/records.ts';
import type { Command } from '../command.ts';
import { plural, table } from '../output.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'looks for what is wrong and says how to fix it; changes nothing',
  run: async (context) => {
    const checks: Check[] = [
      { what: 'settings', ok: true, finding: 'all valid' },
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
  },
};
