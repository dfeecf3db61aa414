import pg from 'pg';
import type { Row } from '#server/storage/postgres/message-pool.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { SCHEMA } from '#server/storage/sql-dialect.ts';

export type Engine = Awaited<ReturnType<typeof openEngine>>;

const INT8 = 20;
/** As the servers' own connections read them. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};
const TABLES = `select quote_ident(relname) as name, relpersistence = 'p' as logged from pg_class
  where relkind = 'r' and relnamespace = '${SCHEMA}'::regnamespace order by 1`;

/** A real PostgreSQL on one connection. It remembers what its tables were at first, and what a replica knows. */
export const openEngine = async (url: string) => {
  const { database } = await openPostgresDatabase(url, { create: true });
  await database.destroy();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`set search_path = ${SCHEMA}, pg_temp`);
  const { rows } = await client.query<{ name: string; logged: boolean }>(TABLES);
  const all = rows.map(({ name }) => name);
  const logged = rows.flatMap((row) => (row.logged ? [row.name] : []));
  const each = (names: readonly string[], text: (name: string) => string): string =>
    names.map(text).join(';');
  const fillFrom = (schema: string): string =>
    `set session_replication_role = replica; truncate ${all.join()};
     ${each(logged, (name) => `insert into ${name} table ${schema}.${name}`)};
     set session_replication_role = origin`;
  // What is where in a table must not depend on when it was cleaned.
  await client.query(`create schema pristine; create schema replica;
    ${each(all, (name) => `alter table ${name} set (autovacuum_enabled = false)`)};
    ${each(logged, (name) => `create table pristine.${name} as table ${name}`)};
    ${each(logged, (name) => `create table replica.${name} (like ${name})`)}`);
  const remember = each(
    logged,
    (name) => `delete from replica.${name}; insert into replica.${name} table ${name}`,
  );
  return {
    query: (text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>> =>
      values === undefined ? client.query(text) : client.query({ text, values: [...values], types }),
    reset: () => client.query(`rollback; ${fillFrom('pristine')}`),
    remember: async (): Promise<void> => void (await client.query(remember)),
    promote: () => client.query(fillFrom('replica')),
    emptyUnlogged: () => client.query(`truncate ${all.filter((name) => !logged.includes(name)).join()}`),
    close: () => client.end(),
  };
};
