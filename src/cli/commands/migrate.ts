import { inspectRecords, recordsVersion } from '#server/open-records.ts';
import type { RunCommand } from '../command.ts';

export const migrate: RunCommand = async (context) => {
  const before = await inspectRecords(context.config);
  const to = recordsVersion(context.config);
  await context.openRecords({ migrate: true });
  const from = 'version' in before ? before.version : 0;
  return {
    data: { from, to },
    lines: [
      from === to
        ? `The database is up to date, at version ${to}.`
        : `Upgraded the database from version ${from} to ${to}.`,
    ],
  };
};
