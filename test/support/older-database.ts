import { writeFileSync } from 'node:fs';
import { Kysely } from 'kysely';
import { migrate } from '#server/storage/migrations.ts';
import type { Schema } from '#server/storage/schema.ts';
import { connectSqlite } from '#server/storage/sqlite/sqlite-connection.ts';
import { createSqliteDialect } from '#server/storage/sqlite/sqlite-dialect.ts';

/** A database as a version has it that had no migration yet. */
export const makeOlderDatabase = async (path: string): Promise<void> => {
  // SQLite accepts a file that is empty.
  writeFileSync(path, '', { mode: 0o600 });
  await using database = new Kysely<Schema>({ dialect: createSqliteDialect(await connectSqlite(path)) });
  await migrate(database, []);
};
