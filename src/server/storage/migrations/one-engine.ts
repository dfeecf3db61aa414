import { sql } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { secondsAgo } from '../sql-dialect.ts';
import type { Migration } from '../schema.ts';

const SILENT_SECONDS = 10;

/** A crash empties unlogged tables: keys, spent proofs and visitors' counts may be lost, the rest may not. */
export const oneEngine: Migration = {
  name: 'one engine',
  only: 'postgres',
  up: async (db) => {
    const running = await db
      .selectFrom('node')
      .select('name')
      .where('seen_at', '>', secondsAgo(SILENT_SECONDS))
      .execute();
    if (running.length > 0)
      throw new OperatorError(
        EXIT.serverRunning,
        `Servers of an earlier version are running on these records (${running.map(({ name }) => name).join(', ')})`,
        'stop all of them, and wait ten seconds if one was killed; nothing was changed.',
      );
    await sql`
      alter table node drop column shared, drop column if exists store_id, drop column if exists store_address
      `.execute(db);
    await sql`
      create table token_state (
        id varchar(100) primary key, version bigint not null default 1, record text, free_at float8 not null,
        cool_until float8 not null default 0, place varchar(10) not null, changed_at float8 not null
      ) with (fillfactor = 70)`.execute(db);
    await sql`create index token_state_free on token_state (free_at) where place in ('usable', 'away')`.execute(
      db,
    );
    await sql`create index token_state_apart on token_state (place, changed_at) where place <> 'usable'`.execute(
      db,
    );
    // Changed fifty times a second: with room on their page the old versions cost nothing.
    await sql`
      create table pace (
        one boolean primary key check (one), tat float8 not null, standing bigint not null, shift float8 not null,
        beat float8 not null, layout integer not null
      ) with (fillfactor = 10)`.execute(db);
    await sql`insert into pace values (true, 0, 0, 0, 0, 1)`.execute(db);
    await sql`insert into standing (who, record) values ('all', '')`.execute(db);
    await sql`
      create unlogged table challenge_key (
        span bigint primary key, id varchar(16) not null unique, secret bytea not null, home varchar(100) not null
      )`.execute(db);
    await sql`
      create unlogged table spent_proof (
        key_id varchar(16), digest bytea, span bigint not null, primary key (key_id, digest)
      )`.execute(db);
    await sql`
      create unlogged table visitor_count (
        key bytea primary key, a float8 not null, b float8 not null default 0
      ) with (fillfactor = 70)`.execute(db);
  },
};
