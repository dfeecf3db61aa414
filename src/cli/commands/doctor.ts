import type { Check } from '../checks/check.ts';
import { checkConnections } from '../checks/connections.ts';
import { checkPublicAddress } from '../checks/public-address.ts';
import { checkRecords } from '../checks/records.ts';
import { findSettingProblems } from '../checks/settings.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { describeSource } from '../refusals.ts';
import { plural, table, worstOf } from '../output.ts';

export const doctor: RunCommand = async (context) => {
  const checks: Check[] = [
    ...(await checkSettings(context)),
    ...(await checkRecords(context)),
    ...(await checkConnections(context)),
    ...(await checkPublicAddress(context)),
  ];
  const failures = checks.filter(({ state }) => state === 'failed').length;
  const warnings = checks.filter(({ state }) => state === 'warning').length;
  return {
    data: { problem_count: failures, warning_count: warnings, checks },
    lines: [
      ...table(
        ['STATE', 'WHAT', 'FINDING'],
        checks.map(({ what, state, finding }) => [state, what, finding]),
      ),
      ...checks.map(({ what, remedy }) => remedy !== undefined && `Fix the ${what}: ${remedy}`),
      failures + warnings === 0
        ? 'No problems found.'
        : `${plural(failures, 'problem')}, ${plural(warnings, 'warning')}.`,
    ],
    state: worstOf(checks.map(({ state }) => state)),
  };
};

/** Warnings only: with wrong settings no command runs. */
const checkSettings = async ({ config, settingsSource }: CommandContext): Promise<Check[]> => {
  const source = await settingsSource();
  const problems = findSettingProblems({ ok: true, config }, source);
  return problems.length === 0
    ? [{ what: 'settings', state: 'ok', finding: `all valid (${describeSource(source)})` }]
    : problems.map(({ state, finding }) => ({ what: 'settings', state, finding }));
};
