import { PostgresAdapter, sql, type Kysely, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export const isPostgres = (db: Kysely<Schema>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** The same number in all versions of this program. */
const LOCK = 0x77_68_6f_66;

/** Sees all that others have done in theirs, and none interrupts it. SQLite's transactions are like that anyway. */
export const exclusively = <T>(
  db: Kysely<Schema>,
  work: (step: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (step) => {
    // A lock of the session would be lost behind a pooling proxy.
    if (isPostgres(step)) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(step);
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
