import { sql } from 'kysely';
import { oneEngine } from './one-engine.ts';
import type { Migration } from '../schema.ts';
import { severalMachines } from './several-machines.ts';
import { isPostgres } from '../sql-dialect.ts';

/** Numbered by their place, from 1 on; only ever appended to. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'donated tokens',
    up: async (db) => {
      const bytes = isPostgres(db) ? sql`bytea` : sql`blob`;
      await db.schema
        .createTable('donated_token')
        .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
        .addColumn('kid', 'varchar(16)', (column) => column.notNull())
        .addColumn('wrapped_key', bytes, (column) => column.notNull())
        .addColumn('ciphertext', bytes, (column) => column.notNull())
        .addColumn('fingerprint', 'varchar(64)', (column) => column.notNull().unique())
        .addColumn('bot_fingerprint', 'varchar(64)', (column) => column.notNull().unique())
        .addColumn('receipt_digest', 'varchar(64)', (column) => column.notNull().unique())
        .addColumn('created_day', 'varchar(10)', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('vault_key')
        .addColumn('kid', 'varchar(16)', (column) => column.primaryKey())
        .addColumn('check_digest', 'varchar(64)', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('retirement')
        .addColumn('token_id', 'varchar(36)', (column) => column.primaryKey())
        .addColumn('retired_at', 'varchar(24)', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'vanity links and opt-outs',
    up: async (db) => {
      await db.schema
        .createTable('vanity_link')
        .addColumn('name', 'varchar(32)', (column) => column.primaryKey())
        .addColumn('invite_code', 'varchar(32)', (column) => column.notNull())
        .addColumn('guild_id', 'varchar(20)', (column) => column.notNull())
        .addColumn('paused_because', 'varchar(20)')
        .addColumn('checked_at', 'varchar(24)', (column) => column.notNull())
        .addColumn('created_day', 'varchar(10)', (column) => column.notNull())
        .addColumn('donor', 'varchar(200)')
        .addColumn('amount_eur', 'double precision')
        .addColumn('donated_on', 'varchar(10)')
        .execute();
      await db.schema
        .createTable('opt_out')
        .addColumn('digest', 'varchar(64)', (column) => column.primaryKey())
        .addColumn('created_day', 'varchar(10)', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'retirement reasons',
    up: async (db) => {
      await db.schema
        .alterTable('retirement')
        .addColumn('reason', 'varchar(20)', (column) => column.notNull().defaultTo('platform'))
        .execute();
    },
  },
  // No release wrote rows of format 1.
  {
    name: 'sealed row formats',
    up: async (db) => {
      await db.schema
        .alterTable('donated_token')
        .addColumn('format', 'integer', (column) => column.notNull().defaultTo(1))
        .execute();
    },
  },
  severalMachines,
  {
    name: 'withdrawn lists',
    up: async (db) => {
      await db.schema
        .createTable('withdrawn_list')
        .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
        .addColumn('name', 'varchar(300)', (column) => column.notNull())
        .addColumn('merged_into', 'varchar(100)', (column) => column.notNull())
        .execute();
      if (isPostgres(db))
        await sql`
          create trigger count_change before insert or update or delete or truncate on withdrawn_list
          for each statement execute function count_change()`.execute(db);
    },
  },
  // Which other store a node used: two columns that migration 9 has dropped.
  { name: 'stores of nodes', only: 'postgres', up: async () => {} },
  {
    name: 'figures and standing',
    up: async (db) => {
      await db.schema
        .createTable('figure')
        .addColumn('server', 'varchar(300)', (column) => column.notNull())
        .addColumn('from_ms', 'bigint', (column) => column.notNull())
        .addColumn('served', 'integer', (column) => column.notNull())
        .addColumn('refused', 'integer', (column) => column.notNull())
        .addColumn('healthy', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('figure_key', ['server', 'from_ms'])
        .execute();
      await db.schema
        .createTable('standing')
        .addColumn('who', 'varchar(40)', (column) => column.primaryKey())
        .addColumn('record', 'text', (column) => column.notNull())
        .execute();
    },
  },
  oneEngine,
  {
    name: 'platforms of tokens',
    up: async (db) => {
      await db.schema.alterTable('donated_token').addColumn('platform', 'varchar(10)').execute();
    },
  },
];
