import { inspectRecords } from '#server/open-records.ts';
import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import type { RunCommand } from '../command.ts';

export const migrate: RunCommand = async (context) => {
  const before = await inspectRecords(context.config);
  await context.openRecords({ migrate: true });
  const from = 'version' in before ? before.version : 0;
  return {
    lines: [
      from === SCHEMA_VERSION
        ? `The database is up to date, at version ${SCHEMA_VERSION}.`
        : `Upgraded the database from version ${from} to ${SCHEMA_VERSION}.`,
    ],
  };
};
