import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeRecords, WITHDRAWN_FILE } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { openDatabase } from '#server/storage/database.ts';
import { replaceFile } from '#server/storage/durable-file.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { copyRecords } from '../backups/copy-records.ts';
import { lockOutServers, putInPlace, setAside } from '../backups/set-aside.ts';
import {
  describeContents,
  remarksOn,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { badInput } from '../failure.ts';

/** If it is killed at any moment, it can be run again. */
export const restore: RunCommand = async (context, { words: [word = ''], flags }) => {
  const { config, confirm } = context;
  const file = resolve(word);
  const isDryRun = flags['dry-run'] === true;
  using _lock = isDryRun ? null : lockOutServers(config.dataDir);
  const put = async (folder: string, contents: BackupContents): Promise<CommandResult> => {
    const remarks = remarksOn(contents);
    if (isDryRun)
      return {
        data: { dry_run: true, file, ...contents },
        lines: [`The backup is good: ${describeContents(contents)}. Nothing was changed.`, ...remarks],
      };
    if (config.databaseUrl !== null && contents.tokens_held)
      throw badInput(
        'The list of withdrawn tokens that belongs to the backup is missing',
        'restore it without DATABASE_URL first, and see ops help withdrawn.',
      );
    await confirm();
    bringList(folder, config.dataDir);
    const aside =
      config.databaseUrl === null
        ? putInPlace(join(folder, DATABASE_FILE), config.dataDir, context.now())
        : await moveToPostgres(context, folder, file);
    return {
      data: { file, set_aside: aside, ...contents },
      lines: [
        `The backup was restored, and is ${describeRecords(config)}: ${describeContents(contents)}.`,
        aside !== null && `The old records are in ${aside}: delete them once everything works.`,
        ...remarks,
        config.databaseUrl !== null &&
          'Left for you: of PostgreSQL the server makes no backups. See "With PostgreSQL" in docs/backup.md.',
        'Start the server now.',
      ],
    };
  };
  return await withVerifiedCopy(context, file, put, { giveUpLost: true });
};

/** Before the database: a crash between the two revives no token. */
const bringList = (folder: string, dataDir: string): void => {
  const list = join(folder, WITHDRAWN_FILE);
  if (existsSync(list)) replaceFile(join(dataDir, WITHDRAWN_FILE), readFileSync(list, 'utf8'));
};

const moveToPostgres = async (context: CommandContext, folder: string, file: string) => {
  const { dataDir, databaseUrl } = context.config;
  const url = databaseUrl?.reveal() ?? '';
  {
    await using source = (await openDatabase(join(folder, DATABASE_FILE))).database;
    await using target = (await openPostgresDatabase(url, { create: true })).database;
    await copyRecords(source, target);
  }
  // Like a server: checks the keyring, and copies the withdrawn list into its table.
  await context.openRecords();
  return file === resolve(dataDir, DATABASE_FILE) ? setAside(dataDir, `moved-${context.now()}`) : null;
};
