import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { DATABASE_FILE } from '#server/open-records.ts';
import { openDatabase } from '#server/storage/database.ts';
import { syncFile } from '#server/storage/durable-file.ts';
import { badInput, failed, noRecords, type RunCommand, type CommandContext } from '../command.ts';

export const backup: RunCommand = async (context, { words: [text = ''] }) => {
  const path = resolve(text);
  await copyDatabase(context, path);
  return {
    data: { file: path, bytes: statSync(path).size, keyring_file: context.config.keyringFile },
    lines: [
      `The database is copied to ${path}.`,
      `The keyring is not in it: keep a copy of ${context.config.keyringFile} in another place.`,
    ],
  };
};

/** As it is: a backup from before an upgrade must fit the version to go back to. */
const copyDatabase = async ({ config, terminal }: CommandContext, path: string): Promise<void> => {
  const source = join(config.dataDir, DATABASE_FILE);
  if (!existsSync(source)) throw noRecords(config.dataDir);
  await using database = await openDatabase(source, { migrate: false });
  reserve(path);
  terminal.progress('Copying the database…');
  try {
    await sql`vacuum into ${path}`.execute(database);
    syncFile(path);
  } catch {
    rmSync(path, { force: true });
    throw failed('The backup could not be written', 'check the disk.');
  }
};

/** For us alone to read from its first byte on; SQLite fills an empty file and no other. */
const reserve = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? badInput('The file is there already', 'name one that is not.')
      : badInput('The file cannot be created', 'check its folder.');
  }
};
