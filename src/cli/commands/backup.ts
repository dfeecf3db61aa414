import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { syncFile } from '#server/storage/sync-file.ts';
import { badInput, failed, type Command } from '../command.ts';

export const backup: Command = {
  name: 'backup',
  parameters: '<file>',
  summary: 'copies the database into a new file, also while the server runs',
  run: async (context, { words: [text = ''] }) => {
    const path = resolve(text);
    const { database } = await context.openRecords();
    reserve(path);
    context.terminal.progress('Copying the database…');
    try {
      await sql`vacuum into ${path}`.execute(database);
      syncFile(path);
    } catch {
      rmSync(path, { force: true });
      throw failed('The backup could not be written: check the disk.');
    }
    return {
      data: { file: path, bytes: statSync(path).size, keyring_file: context.config.keyringFile },
      lines: [
        `The database is copied to ${path}.`,
        `The keyring is not in it: keep a copy of ${context.config.keyringFile} in another place.`,
      ],
    };
  },
};

/** For us alone to read from its first byte on; SQLite fills an empty file and no other. */
const reserve = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw badInput(
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? 'The file is there already: name one that is not.'
        : 'The file cannot be created: check its folder.',
    );
  }
};
