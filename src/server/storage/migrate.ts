import type { Kysely } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { donatedTokens } from './migrations/001-donated-tokens.ts';
import { vanityLinksAndOptOuts } from './migrations/002-vanity-links-and-opt-outs.ts';
import { retirementReasons } from './migrations/003-retirement-reasons.ts';
import { sealedRowFormats } from './migrations/004-sealed-row-formats.ts';
import type { Migration, Schema } from './schema.ts';

/** Numbered by their place, from 1 on; only ever appended to. */
const MIGRATIONS: readonly Migration[] = [
  donatedTokens,
  vanityLinksAndOptOuts,
  retirementReasons,
  sealedRowFormats,
];

/** The version that `migrate` brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the database up to date, each step whole or not at all. Refuses one that a newer version has written. */
export const migrate = async (db: Kysely<Schema>): Promise<void> => {
  await db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'varchar(100)', (column) => column.notNull())
    .execute();
  const applied = await db.selectFrom('schema_migration').select('number').orderBy('number').execute();
  const current = applied.at(-1)?.number ?? 0;
  if (current > SCHEMA_VERSION) {
    throw new OperatorError(
      EXIT.databaseNewer,
      'The database was written by a newer version',
      'start that version, or restore a backup.',
    );
  }
  for (const [index, { name, up }] of MIGRATIONS.entries()) {
    const number = index + 1;
    if (number <= current) continue;
    await db.transaction().execute(async (step) => {
      // Looked at again with the lock in hand: another process may have been quicker.
      const done = step.selectFrom('schema_migration').select('number').where('number', '=', number);
      if ((await done.executeTakeFirst()) !== undefined) return;
      await up(step);
      await step.insertInto('schema_migration').values({ number, name }).execute();
    });
  }
};
