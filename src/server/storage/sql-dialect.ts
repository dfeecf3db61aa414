import { PostgresAdapter, sql, type Kysely, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export const isPostgres = (db: Kysely<Schema>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Of our own, and looked in alone: what others put elsewhere is never called. Set in each transaction, because PgBouncer
 * hands the connection to others afterwards, and a dump brings along no setting of a role. PostgreSQL's own come first.
 */
export const SCHEMA = 'whoflake';
export const IN_OUR_SCHEMA = `set local search_path = ${SCHEMA}, pg_temp; `;

/** Sees all that others have done in theirs, and none interrupts it. SQLite's transactions are like that anyway. */
export const exclusively = <T>(
  db: Kysely<Schema>,
  work: (step: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (step) => {
    // The row that every writer changes first. Nobody else may lock it, unlike an advisory lock.
    if (isPostgres(step)) await sql`select from change for update`.execute(step);
    return work(step);
  });

/** By PostgreSQL's clock: those of several machines do not agree. */
export const databaseNow = () => sql<Date>`clock_timestamp()`;
export const secondsAgo = (seconds: number) =>
  sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`;

/** Few, because visitors are served from memory. Kept apart, so that none starves another. */
export const CONNECTIONS = { records: 5, leases: 4, proofs: 2 };

export const CONNECTIONS_OF_SERVER = CONNECTIONS.records + CONNECTIONS.leases + CONNECTIONS.proofs;

export const mostConnections = async (db: Kysely<Schema>): Promise<number> => {
  const { rows } = await sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`.execute(
    db,
  );
  return rows[0]?.most ?? 0;
};

export const roleIn = async (db: Kysely<Schema>): Promise<{ name: string; superuser: boolean }> => {
  const { rows } = await sql<{ name: string; superuser: boolean }>`
    select rolname as name, rolsuper as superuser from pg_roles where rolname = current_user`.execute(db);
  return rows[0] ?? { name: '', superuser: false };
};

/** No dump keeps these numbers: what was merged before one was restored was merged into another database. */
export const nameOfPostgres = async (db: Kysely<Schema>): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database()),
      'withdrawn'::regclass::oid) as name`.execute(db);
  return rows[0]?.name ?? '';
};

/** Few enough for the number of values that a statement may have. */
const AT_ONCE = 500;

/** Leaves rows that are there already, and says how many were not. */
export const insertNew = async <Table extends keyof Schema>(
  db: Kysely<Schema>,
  table: Table,
  rows: readonly Schema[Table][],
): Promise<number> => {
  let count = 0;
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const insert = db.insertInto<keyof Schema>(table).values(rows.slice(from, from + AT_ONCE));
    const done = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    count += Number(done.numInsertedOrUpdatedRows);
  }
  return count;
};
