import { sql, type Kysely } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Schema } from './schema.ts';
import { exclusively, isPostgres, SCHEMA } from './sql-dialect.ts';
import { StorageFault } from './storage-fault.ts';

export type Migration = { readonly name: string; readonly up: (db: Kysely<Schema>) => Promise<void> };

const recordsWith = (bytes: 'bytea' | 'blob'): readonly string[] => [
  `create table donated_token (
    id varchar(36) primary key, kid varchar(16) not null, wrapped_key ${bytes} not null,
    ciphertext ${bytes} not null, fingerprint varchar(64) not null unique,
    bot_fingerprint varchar(64) not null unique, receipt_digest varchar(64) not null unique,
    created_day varchar(10) not null, platform varchar(10) not null)`,
  'create table vault_key (kid varchar(16) primary key, check_digest varchar(64) not null)',
  `create table retirement (
    token_id varchar(36) primary key, retired_at varchar(24) not null, reason varchar(20) not null)`,
  `create table vanity_link (
    name varchar(32) primary key, invite_code varchar(32) not null, guild_id varchar(20) not null,
    paused_because varchar(20), checked_at varchar(24) not null, created_day varchar(10) not null,
    donor varchar(200), amount_eur double precision, donated_on varchar(10))`,
  'create table opt_out (digest varchar(64) primary key, created_day varchar(10) not null)',
  'create table withdrawn_list (merged_into varchar(100) primary key)',
  `create table figure (
    server varchar(300) not null, from_ms bigint not null, served integer not null,
    refused integer not null, healthy integer not null, primary key (server, from_ms))`,
  'create table standing (who varchar(40) primary key, record text not null)',
];

/** What the only trigger of ours does. */
export const COUNT_CHANGE = 'begin update change set n = n + 1; return null; end';
/** Those whose changes all servers must hear of. */
export const COUNTED =
  'donated_token vault_key retirement vanity_link opt_out withdrawn withdrawn_list'.split(' ');

const SHARED_BY_SERVERS = [
  'create table withdrawn (row_id varchar(36) primary key)',
  `create table node (
    id varchar(36) primary key, name varchar(100) not null, seen_at timestamptz not null,
    version varchar(50) not null)`,

  'create table change (site varchar(36) primary key, n bigint not null)',
  'insert into change (site, n) values (gen_random_uuid(), 0)',
  `create function count_change() returns trigger language plpgsql set search_path from current as
    '${COUNT_CHANGE}'`,
  // Before the statement: writers wait for each other here, before they hold a row that others might wait for.
  ...COUNTED.map(
    (table) => `create trigger count_change before insert or update or delete or truncate on ${table}
      for each statement execute function count_change()`,
  ),

  `create table token_state (
    id varchar(100) primary key, version bigint not null default 1 check (version < 1e15), record text,
    free_at float8 not null check (free_at < 1e15), cool_until float8 not null default 0 check (cool_until < 1e15),
    place varchar(10) not null check (place in ('usable', 'away', 'suspect', 'removed')),
    changed_at float8 not null check (changed_at < 1e15)
  ) with (fillfactor = 70)`,
  `create index token_state_free on token_state (free_at) where place in ('usable', 'away')`,
  `create index token_state_apart on token_state (place, changed_at) where place <> 'usable'`,
  // Changed fifty times a second: with room on their page the row's dead versions cost nothing.
  `create table pace (
    one boolean primary key check (one), tat float8 not null check (tat < 1e15),
    standing bigint not null check (standing < 1e15), shift float8 not null check (abs(shift) < 1e15),
    beat float8 not null check (beat < 1e15), layout integer not null
  ) with (fillfactor = 10)`,
  'insert into pace values (true, 0, 0, 0, 0, 1)',
  `insert into standing (who, record) values ('platform', ''), ('tokens', '')`,
  // A crash empties unlogged tables: keys and spent proofs may be lost together, the rest may not.
  `create unlogged table challenge_key (
    span bigint primary key, id varchar(16) not null unique, secret bytea not null,
    home varchar(100) not null)`,
  `create unlogged table spent_proof (
    key_id varchar(16), digest bytea, span bigint not null, primary key (key_id, digest))`,
];

/** Numbered by their place, from 1 on. What a release has had is never changed, only appended to. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'the first tables',
    up: async (db) => {
      const steps = isPostgres(db) ? [...recordsWith('bytea'), ...SHARED_BY_SERVERS] : recordsWith('blob');
      for (const step of steps) await sql.raw(step).execute(db);
    },
  },
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export const migrate = async (
  db: Kysely<Schema>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> => {
  if (isPostgres(db)) await beginSchema(db, migrations);
  // With SQLite without the write lock if there is nothing to do: another process may hold it.
  if (isPostgres(db) || (await readOrBeginVersion(db)) !== migrations.length)
    await exclusively(db, (step) => apply(step, migrations));
};

/** Of several that begin at once PostgreSQL lets one make the schema, and lets the others wait for it, only to fail. */
const beginSchema = async (db: Kysely<Schema>, migrations: readonly Migration[]): Promise<void> => {
  const { rows } = await sql<{ schema: boolean; tables: boolean }>`
    select to_regnamespace(${SCHEMA}) is not null as schema, to_regclass('change') is not null as tables`.execute(
    db,
  );
  if (rows[0]?.tables === true) return;
  const begin = db.transaction().execute(async (step) => {
    // The operator may have made it for a role that may not.
    if (rows[0]?.schema !== true) await sql.raw(`create schema ${SCHEMA}`).execute(step);
    await apply(step, migrations);
  });
  await begin.catch((error: unknown) => {
    if (!(error instanceof StorageFault && /^(?:23505|42P0[67])$/.test(error.code))) throw error;
  });
};

const readOrBeginVersion = async (db: Kysely<Schema>): Promise<number> => {
  await sql`
    create table if not exists "schema_migration" ("number" integer primary key, "name" varchar(100) not null)`.execute(
    db,
  );
  return readVersion(db);
};

export const readVersion = async (db: Kysely<Schema>): Promise<number> => {
  const applied = await db.selectFrom('schema_migration').select('number').orderBy('number').execute();
  return applied.at(-1)?.number ?? 0;
};

const apply = async (step: Kysely<Schema>, migrations: readonly Migration[]): Promise<void> => {
  const current = await readOrBeginVersion(step);
  if (current > migrations.length)
    throw new OperatorError(
      EXIT.databaseNewer,
      'The database was written by a newer version',
      'start that version, or restore a backup.',
    );
  for (const [index, { name, up }] of migrations.entries()) {
    const number = index + 1;
    if (number <= current) continue;
    await up(step);
    await step.insertInto('schema_migration').values({ number, name }).execute();
  }
};
