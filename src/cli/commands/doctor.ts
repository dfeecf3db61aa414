import { FILE_CHECKS, RECORD_CHECKS } from '../checks/records.ts';
import { PLATFORM_CHECK } from '../checks/platform.ts';
import { POSTGRES_CHECKS } from '../checks/postgres.ts';
import { inspectPublicAddress } from '../checks/public-address.ts';
import { inspectServer } from '../checks/server.ts';
import { findSettingProblems } from '../checks/settings.ts';
import { runChecks, type Checks, type Found } from '../checks/check.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { describeSource } from '../failure.ts';
import { plural, table, worstOf } from '../output.ts';

/** Warnings only: with wrong settings no command runs. */
const inspectSettings = async ({ config, settingsSource }: CommandContext): Promise<Found> => {
  const source = await settingsSource();
  const problems = findSettingProblems(config, source);
  return problems.length === 0 ? `all valid (${describeSource(source)})` : problems;
};

const FIRST: Checks = [['settings', inspectSettings], ...FILE_CHECKS];

const LAST: Checks = [
  ['server', inspectServer],
  ['public address', inspectPublicAddress],
];

export const doctor: RunCommand = async (context) => {
  const isShared = context.config.databaseUrl !== null;
  const checks = await runChecks(FIRST, context);
  // Without the records nobody knows whether the platform may be asked.
  if (checks.at(-1)?.state === 'ok')
    checks.push(
      ...(await runChecks(
        [...(isShared ? POSTGRES_CHECKS : []), ...RECORD_CHECKS, ...PLATFORM_CHECK],
        context,
      )),
    );
  checks.push(...(await runChecks(LAST, context)));
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
