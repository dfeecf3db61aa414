import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { CONNECTIONS, IN_OUR_SCHEMA } from '../sql-dialect.ts';
import { StorageFault } from '../storage-fault.ts';
import { NO_FILE, NO_TLS, parseDatabaseUrl } from './database-url.ts';

const INT8 = 20;
const types = {
  /** As numbers, because counts are small: the driver's own text would be concatenated instead of added. */
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

export const openPool = (url: string, limits: pg.PoolConfig): pg.Pool => {
  const parsed = parseDatabaseUrl(url);
  if (!parsed.ok) throw new TypeError(parsed.problem);
  const pool = new pg.Pool({
    connectionString: parsed.url,
    application_name: 'whoflake',
    keepAlive: true,
    ...limits,
  });
  // A connection that breaks is replaced; an error that nobody listens to would end the process.
  return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
};

export type PoolLimits = { readonly statementMs: number; readonly connectMs: number };

export const createConnectionPool = (url: string, { statementMs, connectMs }: PoolLimits): PostgresPool => {
  const pool = openPool(url, {
    max: CONNECTIONS.records,
    connectionTimeoutMillis: connectMs,
    // Longer than the server's own limit: for one that is silent and cannot end a statement itself.
    query_timeout: statementMs + 1_000,
    types,
  });
  return {
    connect: async () => {
      try {
        return limited(await pool.connect(), statementMs);
      } catch (error) {
        throw faultOf(error as Error);
      }
    },
    end: () => pool.end(),
    options: {},
  };
};

/**
 * Every statement has its limits in PostgreSQL, or those that we gave up would go on there and hold connections. They
 * are set in a transaction and not when connecting: PgBouncer hands the connection to other clients, and refuses
 * start-up options that it does not know.
 */
const limited = (client: pg.PoolClient, statementMs: number): PostgresPoolClient => {
  const begin = `begin isolation level read committed; ${IN_OUR_SCHEMA} set local statement_timeout = ${statementMs};
    set local idle_in_transaction_session_timeout = ${2 * statementMs}`;
  let isInTransaction = false;
  let isBroken = false;
  const send = async (text: string, values?: readonly unknown[]) => {
    try {
      return await client.query(text, values && [...values]);
    } catch (error) {
      // Alone, it leaves its transaction open.
      isBroken ||= !isInTransaction || !(error instanceof pg.DatabaseError);
      throw faultOf(error as Error);
    }
  };
  const query = async (text: string, values: readonly unknown[]) => {
    if (text === 'begin') {
      isInTransaction = true;
      return send(begin);
    }
    if (isInTransaction) return send(text, values);
    await send(begin);
    const result = await send(text, values);
    await send('commit');
    return result;
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || isBroken),
  };
};

export const faultOf = ({ code, syscall, message }: NodeJS.ErrnoException): StorageFault => {
  // A missing socket is an `ENOENT` too, but its `syscall` is `connect`.
  if (syscall === 'open') return new StorageFault(NO_FILE);
  return new StorageFault(code ?? (message.includes('SSL') ? NO_TLS : 'no-answer'));
};
