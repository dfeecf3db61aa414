import { join } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { SCHEMA_VERSIONS } from '#server/storage/migrate.ts';
import type { RunCommand } from '../command.ts';

export const migrate: RunCommand = async (context) => {
  const before = inspectDatabase(join(context.config.dataDir, DATABASE_FILE));
  await context.openRecords({ create: true, migrate: true });
  const from = 'version' in before ? before.version : 0;
  return {
    data: { from, to: SCHEMA_VERSIONS.sqlite },
    lines: [
      from === SCHEMA_VERSIONS.sqlite
        ? `The database is up to date, at version ${SCHEMA_VERSIONS.sqlite}.`
        : from === 0
          ? `Created the database at version ${SCHEMA_VERSIONS.sqlite}.`
          : `Upgraded the database from version ${from} to ${SCHEMA_VERSIONS.sqlite}.`,
    ],
  };
};
