import pg from 'pg';
import { STATEMENT_MS } from '#server/deadlines.ts';
import { IN_OUR_SCHEMA } from '../sql-dialect.ts';
import { StorageFault } from '../storage-fault.ts';
import { NO_FILE, NO_TLS, parseDatabaseUrl } from './database-url.ts';

export type Row = Readonly<Record<string, unknown>>;

export type MessagePool = ReturnType<typeof createMessagePool>;

/** Others were in the way: the step had no effect, and may be tried again. */
const OTHERS_IN_THE_WAY = new Set(['55P03', '57014', '40P01', '25P03', '40001']);
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof StorageFault && OTHERS_IN_THE_WAY.has(error.code);

export const RAW_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/** There are no parameters, because one message has several statements. */
export const quote = (text: string): string => pg.escapeLiteral(text);

export const numeral = (value: number): string => {
  if (!Number.isFinite(value)) throw new TypeError('PostgreSQL is only told finite numbers.');
  return value < 0 ? `(${value})` : String(value);
};

/** Set in each transaction: PgBouncer hands the connection to others afterwards. */
export const LIMITS = `${IN_OUR_SCHEMA}set local statement_timeout = ${STATEMENT_MS}; `;

export const createMessagePool = (url: string, max: number) => {
  const pool = openPool(url, {
    max,
    connectionTimeoutMillis: STATEMENT_MS,
    idleTimeoutMillis: 0,
    query_timeout: STATEMENT_MS + 500,
  });
  return {
    send: async (text: string): Promise<readonly (readonly Row[])[]> => {
      let client: pg.PoolClient | undefined;
      try {
        client = await pool.connect();
        const results = (await client.query(text)) as unknown as pg.QueryResult<Row> | pg.QueryResult<Row>[];
        client.release();
        return [results].flat().map(({ rows }) => rows);
      } catch (error) {
        // Whatever the reason, a standby included: the next try is on a connection in a known state.
        client?.release(true);
        throw faultOf(error as Error);
      }
    },
    end: () => pool.end(),
  };
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

export const faultOf = ({ code, syscall, message }: NodeJS.ErrnoException): StorageFault => {
  // A missing socket is an `ENOENT` too, but its `syscall` is `connect`.
  if (syscall === 'open') return new StorageFault(NO_FILE);
  return new StorageFault(code ?? (message.includes('SSL') ? NO_TLS : 'no-answer'));
};
