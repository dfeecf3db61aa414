import { sql, type Kysely } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { exclusively, isPostgres } from './sql-dialect.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Schema } from './schema.ts';

const ALL = MIGRATIONS.map(({ name, only, up }, index) => ({ name, only, up, number: index + 1 }));
const FOR_EVERY_DIALECT = ALL.filter(({ only }) => only === undefined);

export const SCHEMA_VERSIONS = {
  sqlite: FOR_EVERY_DIALECT.at(-1)?.number ?? 0,
  postgres: ALL.length,
};

export const migrate = async (db: Kysely<Schema>, upTo = ALL.length): Promise<void> => {
  // From the first table on: PostgreSQL does not keep two from making the same one.
  if (isPostgres(db)) return exclusively(db, (step) => apply(step, ALL));
  const migrations = FOR_EVERY_DIALECT.filter(({ number }) => number <= upTo);
  // Without the write lock if there is nothing to do: another process may hold it.
  if ((await readOrBeginVersion(db)) !== migrations.at(-1)?.number)
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

const apply = async (step: Kysely<Schema>, migrations: typeof ALL): Promise<void> => {
  const current = await readOrBeginVersion(step);
  if (current > (migrations.at(-1)?.number ?? 0))
    throw new OperatorError(
      EXIT.databaseNewer,
      'The database was written by a newer version',
      'start that version, or restore a backup.',
    );
  for (const { number, name, up } of migrations) {
    if (number <= current) continue;
    await up(step);
    await step.insertInto('schema_migration').values({ number, name }).execute();
  }
};
