import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { StorageFault } from '../storage-fault.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { NO_FILE, NO_TLS } from './refusals.ts';

/** Few: visitors are served from memory. */
const MAX_CONNECTIONS = 5;

const INT8 = 20;
const types = {
  /** As numbers, because counts are small: the driver's own text would be concatenated instead of added. */
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

/** Connections to PostgreSQL. They may break at any moment, which is a `StorageFault` and nothing worse. */
export const createConnectionPool = (
  url: string,
  { statementMs = 5_000, connectMs = 2_000 } = {},
): PostgresPool => {
  const parsed = parseDatabaseUrl(url);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  const pool = new pg.Pool({
    connectionString: parsed.url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    // Longer than the server's own time limit: for a server that is silent and cannot end a statement itself.
    query_timeout: statementMs + 1_000,
    application_name: 'whoflake',
    keepAlive: true,
    types,
  });
  // A connection that breaks is replaced; an error that nobody listens to would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return {
    connect: async () => {
      try {
        return guarded(await pool.connect(), beginWithin(statementMs));
      } catch (error) {
        throw faultOf(error as Error);
      }
    },
    end: () => pool.end(),
    options: {},
  };
};

/**
 * A process that was stopped half way must not keep all others from writing. Set in each transaction and not when
 * connecting: PgBouncer hands the connection to other clients, and refuses start-up options that it does not know.
 */
const beginWithin = (statementMs: number): string =>
  `begin; set local statement_timeout = ${statementMs};
  set local idle_in_transaction_session_timeout = ${2 * statementMs}`;

/** A connection that did not answer, or broke, is not used again. */
const guarded = (client: pg.PoolClient, begin: string): PostgresPoolClient => {
  let isBroken = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      const statement = text === 'begin' ? begin : text;
      return (await client.query(statement, [...values])) as unknown as PostgresQueryResult<never>;
    } catch (error) {
      isBroken ||= !(error instanceof pg.DatabaseError);
      throw faultOf(error as Error);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || isBroken),
  };
};

const faultOf = ({ code, syscall, message }: NodeJS.ErrnoException): StorageFault => {
  // A missing socket is an `ENOENT` too, but its `syscall` is `connect`.
  if (syscall === 'open') return new StorageFault(NO_FILE);
  return new StorageFault(code ?? (message.includes('SSL') ? NO_TLS : 'no-answer'));
};
