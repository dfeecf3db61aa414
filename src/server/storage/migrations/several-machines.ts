import { sql } from 'kysely';
import type { Migration } from '../schema.ts';

const WATCHED = ['donated_token', 'vault_key', 'retirement', 'vanity_link', 'opt_out', 'withdrawn'];

/** Byte for byte: any other is not ours. */
export const COUNT_CHANGE_BODY = `
      begin
        update change set n = n + 1;
        return null;
      end `;

export const severalMachines: Migration = {
  name: 'several machines',
  only: 'postgres',
  up: async (db) => {
    await sql`create table withdrawn (row_id varchar(36) primary key)`.execute(db);
    await sql`
      create table node (
        id varchar(36) primary key, name varchar(100) not null, seen_at timestamptz not null,
        shared boolean not null, kids text not null, version varchar(50) not null
      )`.execute(db);
    await sql`create table change (site varchar(36) primary key, n bigint not null)`.execute(db);
    await sql`insert into change (site, n) values (gen_random_uuid(), 0)`.execute(db);
    await sql`
      create function count_change() returns trigger language plpgsql set search_path from current as
      ${sql.lit(COUNT_CHANGE_BODY)}`.execute(db);
    // Before the statement: writers wait for each other here, before they hold a row that others might wait for.
    for (const table of WATCHED)
      await sql`
        create trigger count_change before insert or update or delete or truncate on ${sql.table(table)}
        for each statement execute function count_change()`.execute(db);
  },
};
