import { sql } from 'kysely';
import type { Migration } from '../schema.ts';

const WATCHED = ['donated_token', 'vault_key', 'retirement', 'vanity_link', 'opt_out', 'withdrawn'];

/** Byte for byte: any other is not ours. */
export const COUNT_CHANGE_BODY = `
      begin
        update change set n = n + 1;
        return null;
      end `;

/**
 * What SQLite and files tell one machine, PostgreSQL tells several: that something was written, what was withdrawn,
 * and who is there.
 */
export const severalMachines: Migration = {
  name: 'several machines',
  only: 'postgres',
  up: async (db) => {
    await db.schema
      .createTable('withdrawn')
      .addColumn('row_id', 'varchar(36)', (column) => column.primaryKey())
      .execute();
    await db.schema
      .createTable('node')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
      .addColumn('shared', 'boolean', (column) => column.notNull())
      .addColumn('kids', 'text', (column) => column.notNull())
      .addColumn('version', 'varchar(50)', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('change')
      .addColumn('site', 'varchar(36)', (column) => column.primaryKey())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .execute();
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
