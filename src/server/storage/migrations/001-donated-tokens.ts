import { sql } from 'kysely';
import { isPostgres } from '../sql-dialect.ts';
import type { Migration } from '../schema.ts';

export const donatedTokens: Migration = {
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
};
