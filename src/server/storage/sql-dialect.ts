import { PostgresAdapter, sql, type Kysely, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export const isPostgres = (db: Kysely<Schema>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/** Any number will do, as long as all versions of this program have the same. */
const LOCK = 0x77_68_6f_66;

/**
 * A transaction that sees all that others have done in theirs, and that none of them interrupts. With SQLite every
 * transaction is one; PostgreSQL is told.
 */
export const exclusively = <T>(
  db: Kysely<Schema>,
  work: (step: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (step) => {
    // Ends with the transaction, whatever becomes of it: a lock of the session would be lost behind a pooling proxy.
    if (isPostgres(step)) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(step);
    return work(step);
  });

/** By PostgreSQL's clock: those of several machines do not agree. */
export const databaseNow = () => sql<Date>`clock_timestamp()`;
export const secondsAgo = (seconds: number) =>
  sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`;

/**
 * How PostgreSQL numbers the database and its tables. No dump keeps that: what was merged before one was restored was
 * merged into another database.
 */
export const nameOfPostgres = async (db: Kysely<Schema>): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database()),
      'withdrawn'::regclass::oid) as name`.execute(db);
  return rows[0]?.name ?? '';
};
