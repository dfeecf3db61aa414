import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { StorageFault } from '../storage-fault.ts';
import { CONNECTIONS } from './connections.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { NO_FILE, NO_TLS } from './refusals.ts';

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

export const createConnectionPool = (
  url: string,
  { statementMs, connectMs }: { readonly statementMs: number; readonly connectMs: number },
): PostgresPool => {
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
        return guarded(await pool.connect());
      } catch (error) {
        throw faultOf(error as Error);
      }
    },
    end: () => pool.end(),
    options: {},
  };
};

const guarded = (client: pg.PoolClient): PostgresPoolClient => {
  let isBroken = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      const results = [(await client.query(text, [...values])) as unknown as PostgresQueryResult<never>];
      return results.flat().at(-1) as PostgresQueryResult<never>;
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

export const faultOf = ({ code, syscall, message }: NodeJS.ErrnoException): StorageFault => {
  // A missing socket is an `ENOENT` too, but its `syscall` is `connect`.
  if (syscall === 'open') return new StorageFault(NO_FILE);
  return new StorageFault(code ?? (message.includes('SSL') ? NO_TLS : 'no-answer'));
};
