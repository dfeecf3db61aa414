import { closeSync, openSync } from 'node:fs';
import { sql } from 'kysely';
import { openDatabase } from '../database.ts';
import { syncFile } from '../durable-file.ts';

/**
 * Copies a database, also while others write to it, into a new file that is on disk when it resolves. As it is: a
 * backup from before an upgrade must fit the version to go back to.
 */
export const copyDatabase = async (source: string, path: string): Promise<void> => {
  await using database = await openDatabase(source, { migrate: false });
  // Readable by us alone from the first byte on. SQLite accepts a file that is empty.
  closeSync(openSync(path, 'wx', 0o600));
  await sql`vacuum into ${path}`.execute(database);
  syncFile(path);
};
