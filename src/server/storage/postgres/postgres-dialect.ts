import {
  CompiledQuery,
  PostgresDialect,
  type DatabaseConnection,
  type Dialect,
  type PostgresPool,
} from 'kysely';
import { PERMIT_MS } from '#server/deadlines.ts';
import type { Clock } from '#server/system.ts';
import { RAW_MS } from './message-pool.ts';

export const createPostgresDialect = (pool: PostgresPool, statementMs: number, clock: Clock): Dialect => {
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();
  const aheadMs = new WeakMap<DatabaseConnection, number>();
  // Set in each transaction and not when connecting: PgBouncer hands the connection to other clients, and refuses
  // start-up options that it does not know.
  const begin = `begin; set local statement_timeout = ${statementMs};
    set local idle_in_transaction_session_timeout = ${2 * statementMs}; select ${RAW_MS} as raw`;

  driver.beginTransaction = async (connection) => {
    const { rows } = await connection.executeQuery<{ raw: number }>(CompiledQuery.raw(begin));
    aheadMs.set(connection, (rows[0]?.raw ?? 0) - clock.monotonicMs());
  };
  /** A frozen PostgreSQL may find this long after the caller was told that it failed: then it divides by zero. */
  driver.commitTransaction = async (connection) => {
    const expectedMs = clock.monotonicMs() + (aheadMs.get(connection) ?? 0);
    const isTimely = `(abs(${RAW_MS} - ${expectedMs}) <= ${PERMIT_MS})`;
    await connection.executeQuery(CompiledQuery.raw(`select 1 / ${isTimely}::int; commit`));
  };
  dialect.createDriver = () => driver;
  return dialect;
};
