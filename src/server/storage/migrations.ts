import { sql, type Kysely } from 'kysely';
import { EXIT, StartError } from '#server/start-error.ts';
import type { Schema } from './schema.ts';

/** What the two databases call a column of bytes. */
export type BinaryType = 'blob' | 'bytea';

type Migration = {
  readonly name: string;
  readonly up: (db: Kysely<Schema>, binary: BinaryType) => Promise<void>;
};

/** Numbered by their place, from 1 on; only ever appended to. In words that SQLite and PostgreSQL both understand. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: 'donated tokens',
    up: async (db, binary) => {
      await db.schema
        .createTable('donated_token')
        .addColumn('id', 'varchar(36)', (column) => column.primaryKey())
        .addColumn('kid', 'varchar(16)', (column) => column.notNull())
        .addColumn('wrapped_key', sql.raw(binary), (column) => column.notNull())
        .addColumn('ciphertext', sql.raw(binary), (column) => column.notNull())
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
];

/** The version that `migrate` brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the database up to date, each step whole or not at all. Refuses one that a newer version has written. */
export const migrate = async (db: Kysely<Schema>, binary: BinaryType): Promise<void> => {
  await db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'varchar(100)', (column) => column.notNull())
    .execute();
  const applied = await db.selectFrom('schema_migration').select('number').orderBy('number').execute();
  const current = applied.at(-1)?.number ?? 0;
  if (current > SCHEMA_VERSION) {
    throw new StartError(
      'The database was written by a newer version: start that version, or restore a backup.',
      EXIT.databaseNewer,
    );
  }
  for (const [index, { name, up }] of MIGRATIONS.entries()) {
    const number = index + 1;
    if (number <= current) continue;
    await db.transaction().execute(async (step) => {
      // Looked at again with the lock in hand: another process may have been quicker.
      const done = step.selectFrom('schema_migration').select('number').where('number', '=', number);
      if ((await done.executeTakeFirst()) !== undefined) return;
      await up(step, binary);
      await step.insertInto('schema_migration').values({ number, name }).execute();
    });
  }
};
