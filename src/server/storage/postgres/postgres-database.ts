import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, OpenedDatabase } from '../database.ts';
import { stateOfVersion, type DatabaseState } from '../inspect-database.ts';
import { migrate, SCHEMA_VERSIONS } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { createConnectionPool } from './connection-pool.ts';
import { noRecordsAt, refusalOf, refuseOldServer, refuseStandby } from './refusals.ts';

/** Another node may be changing the schema, and all others wait for it. */
const PATIENT = { statementMs: 120_000, connectMs: 10_000 };

const connect = (url: string, patience = {}): Database =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createConnectionPool(url, patience) }) });

/** `create`: an empty database is expected. */
export type OpenPostgresOptions = { readonly create?: boolean };

/** Opens the records in PostgreSQL, brought up to date, or refuses with an `OperatorError`. */
export const openPostgresDatabase = async (
  url: string,
  { create = false }: OpenPostgresOptions = {},
): Promise<OpenedDatabase> => {
  await patiently(url, async (patient) => {
    if (!create && (await readVersion(patient)) === null) throw noRecordsAt(url);
    await migrate(patient);
  });
  const database = connect(url);
  return { database, ...watched(database) };
};

/** What is there, without changing it. Rejects, as a start would, if it cannot find out. */
export const inspectPostgres = (url: string): Promise<DatabaseState> =>
  patiently(url, async (database) => {
    const version = await readVersion(database);
    return version === null ? { kind: 'absent' } : stateOfVersion(version, SCHEMA_VERSIONS.postgres);
  });

/** Waits for another node if it must; failures become refusals for the operator. */
export const patiently = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
  try {
    await using patient = connect(url, PATIENT);
    await refuseServer(patient, url);
    return await work(patient);
  } catch (error) {
    throw refusalOf(error, url);
  }
};

const refuseServer = async (database: Database, url: string): Promise<void> => {
  const { rows } = await sql<{ version: number; standby: boolean }>`
    select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby`.execute(
    database,
  );
  refuseOldServer(rows[0]?.version ?? 0, url);
  refuseStandby(rows[0]?.standby === true, url);
};

/** The schema's version; null if the database has none of our tables. */
const readVersion = async (database: Database): Promise<number | null> => {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('schema_migration') is not null as there`.execute(database);
  if (rows[0]?.there !== true) return null;
  const [last] = await database
    .selectFrom('schema_migration')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .execute();
  return last?.number ?? 0;
};

/** The row `change`: its number grows with every write, and no other database has its name. */
const watched = (database: Database): Pick<OpenedDatabase, 'readVersion' | 'isSameDatabase'> => {
  let opened: string | undefined;
  let current: string | undefined;
  return {
    readVersion: async () => {
      const { site, n } = await database.selectFrom('change').selectAll().executeTakeFirstOrThrow();
      opened ??= site;
      current = site;
      return `${site} ${n}`;
    },
    isSameDatabase: () => current === opened,
  };
};
