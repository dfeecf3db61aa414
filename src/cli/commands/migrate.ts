import { join } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { SCHEMA_VERSION } from '#server/storage/migrate.ts';
import type { RunCommand } from '../command.ts';

export const migrate: RunCommand = async (context) => {
  const before = inspectDatabase(join(context.config.dataDir, DATABASE_FILE));
  await context.openRecords({ create: true, migrate: true });
  const from = 'version' in before ? before.version : 0;
  return {
    data: { from, to: SCHEMA_VERSION },
    lines: [
      from === SCHEMA_VERSION
        ? `The database is up to date, at version ${SCHEMA_VERSION}.`
        : from === 0
          ? `Created the database at version ${SCHEMA_VERSION}.`
          : `Upgraded the database from version ${from} to ${SCHEMA_VERSION}.`,
    ],
  };
};
