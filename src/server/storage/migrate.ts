import { sql, type Kysely } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { exclusively, isPostgres } from './sql-dialect.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import type { Schema } from './schema.ts';

export const SCHEMA_VERSION = MIGRATIONS.length;

export const migrate = async (
  db: Kysely<Schema>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> => {
  // From the first table on: PostgreSQL does not keep two from making the same one.
  // With SQLite without the write lock if there is nothing to do: another process may hold it.
  if (isPostgres(db) || (await readOrBeginVersion(db)) !== migrations.length)
    await exclusively(db, (step) => apply(step, migrations));
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
