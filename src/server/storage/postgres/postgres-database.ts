import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, OpenDatabaseOptions, OpenedDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { createConnectionPool } from './connection-pool.ts';
import { refusalOf, refuseOldServer, refuseStandby } from './refusals.ts';

/** Another node may be changing the schema, and all others wait for it. */
const MIGRATION_MS = 120_000;

const connect = (url: string, statementMs?: number): Database =>
  new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: createConnectionPool(url, { ...(statementMs && { statementMs }) }),
    }),
  });

/** Opens the records in PostgreSQL, brought up to date, or refuses with an `OperatorError`. */
export const openPostgresDatabase = async (
  url: string,
  options?: OpenDatabaseOptions,
): Promise<OpenedDatabase> => {
  try {
    await using patient = connect(url, MIGRATION_MS);
    await refuseServer(patient, url);
    if (options?.migrate !== false) await migrate(patient);
  } catch (error) {
    throw refusalOf(error, url);
  }
  const database = connect(url);
  return { database, ...watched(database) };
};

const refuseServer = async (database: Database, url: string): Promise<void> => {
  const { rows } = await sql<{ version: number; standby: boolean }>`
    select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby`.execute(
    database,
  );
  refuseOldServer(rows[0]?.version ?? 0, url);
  refuseStandby(rows[0]?.standby === true, url);
};

/** One row, whose number grows with whatever is written, and whose name no other database has. */
const watched = (database: Database): Pick<OpenedDatabase, 'readVersion' | 'isInPlace'> => {
  let opened: string | undefined;
  let current: string | undefined;
  return {
    readVersion: async () => {
      const { site, n } = await database.selectFrom('change').selectAll().executeTakeFirstOrThrow();
      opened ??= site;
      current = site;
      return `${site} ${n}`;
    },
    isInPlace: () => current === opened,
  };
};
