import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { stateOfVersion, type Database, type DatabaseState, type OpenedDatabase } from '../database.ts';
import { COUNT_CHANGE, COUNTED, migrate, readVersion } from '../migrations.ts';
import type { Schema } from '../schema.ts';
import { CONNECTIONS, IN_OUR_SCHEMA, SCHEMA } from '../sql-dialect.ts';
import { describeUrl, refusalOf, refuseServer } from './database-url.ts';
import { faultOf, openPool } from './message-pool.ts';

/** Visitors wait for it. */
const SERVING = { statementMs: 5_000, connectMs: 2_000 };
/** Another server may be changing the schema, and all others wait for it. */
const UPGRADING = { statementMs: 120_000, connectMs: 10_000 };

const connect = (url: string, limits: PoolLimits): Database =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createConnectionPool(url, limits) }) });

export const openPostgresDatabase = async (
  url: string,
  { create = false, limits = SERVING }: { readonly create?: boolean; readonly limits?: PoolLimits } = {},
): Promise<OpenedDatabase> => {
  await withUpgradeLimits(url, async (database) => {
    if (!create) await refuseEmpty(database, url);
    // Before anything is written.
    await refuseAltered(database, url);
    await migrate(database);
  });
  const database = connect(url, limits);
  return { database, ...watched(database) };
};

export const inspectPostgres = (url: string): Promise<DatabaseState> =>
  withUpgradeLimits(url, async (database) => {
    const version = await findVersion(database);
    if (version !== null) await refuseAltered(database, url);
    return version === null ? { kind: 'absent' } : stateOfVersion(version);
  });

const withUpgradeLimits = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
  try {
    await using database = connect(url, UPGRADING);
    refuseServer(await askServer(database), url);
    return await work(database);
  } catch (error) {
    throw refusalOf(error, url);
  }
};

const askServer = async (database: Database) => {
  const { rows } = await sql<{ engine: string; version: number; standby: boolean }>`
    select version() as engine, current_setting('server_version_num')::int as version,
      pg_is_in_recovery() as standby`.execute(database);
  return rows[0] ?? { engine: '', version: 0, standby: false };
};

/** An empty database in the place of a lost one would show whom the lost one hides; and it may be somebody else's. */
const refuseEmpty = async (database: Database, url: string): Promise<void> => {
  if ((await findVersion(database)) === null)
    throw new OperatorError(
      EXIT.databaseMissing,
      `The PostgreSQL database ${describeUrl(url)} has no records of this site`,
      'check DATABASE_URL; a new site begins with ops init, records of one machine come with ops restore, a dump with pg_restore.',
    );
};

/**
 * A dump can bring any of it along, and it could make of a write or a look whatever it likes; extensions touch nothing
 * of ours.
 */
const refuseAltered = async (database: Database, url: string): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    with relation as (select * from pg_class where relnamespace = to_regnamespace(${SCHEMA})
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e'))
    select 'trigger ' || tgname as name from pg_trigger join relation on relation.oid = tgrelid
      where not tgisinternal and (tgfoid is distinct from to_regproc('count_change') or tgtype & 1 = 1
        or (select prosrc from pg_proc where oid = tgfoid) <> ${COUNT_CHANGE})
    union all select 'no trigger count_change on ' || relname from relation
      where relname = any (${COUNTED}) and not exists (
        select from pg_trigger where tgrelid = relation.oid and tgname = 'count_change' and tgenabled in ('O', 'A'))
    union all select 'rule ' || rulename || ' on ' || relname from pg_rewrite join relation on relation.oid = ev_class
    union all select 'row security on ' || relname from relation where relrowsecurity
    union all select 'rights of ' || coalesce(rolname, 'everybody') || ' to create in the schema ' || nspname
      from pg_namespace cross join aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
      left join pg_roles on pg_roles.oid = grantee
      where nspname = ${SCHEMA} and privilege_type = 'CREATE' and rolname is distinct from current_user
    order by name limit 5`.execute(database);
  if (rows.length > 0)
    throw new OperatorError(
      EXIT.databaseCorrupt,
      `The PostgreSQL database ${describeUrl(url)} is not as we made it (${rows.map(({ name }) => name).join(', ')})`,
      'undo that if you know what it does, or restore another backup.',
    );
};

const findVersion = async (database: Database): Promise<number | null> => {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('schema_migration') is not null as there`.execute(database);
  return rows[0]?.there === true ? readVersion(database) : null;
};

export const watched = (database: Database): Pick<OpenedDatabase, 'readVersion' | 'isSameDatabase'> => {
  let opened: string | undefined;
  let current: string | undefined;
  return {
    readVersion: async () => {
      // A replica that takes over may have missed what was written last, and count on from where it was.
      const began = sql<string>`extract(epoch from pg_postmaster_start_time())`.as('began');
      const row = await database.selectFrom('change').selectAll().select(began).executeTakeFirstOrThrow();
      opened ??= row.site;
      current = row.site;
      return `${row.site} ${row.n} ${row.began}`;
    },
    isSameDatabase: () => current === opened,
  };
};

const INT8 = 20;
const types = {
  /** As numbers, because counts are small: the driver's own text would be concatenated instead of added. */
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

type PoolLimits = { readonly statementMs: number; readonly connectMs: number };

const createConnectionPool = (url: string, { statementMs, connectMs }: PoolLimits): PostgresPool => {
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
