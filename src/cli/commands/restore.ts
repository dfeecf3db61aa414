import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeRecords, inspectRecords, WITHDRAWN_FILE } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { openDatabase } from '#server/storage/database.ts';
import { replaceFile } from '#server/storage/durable-file.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { copyRecords } from '../backups/copy-records.ts';
import { databaseFiles, lockOutServers, putInPlace, setAside } from '../backups/set-aside.ts';
import { describeContents, withVerifiedCopy, type BackupContents } from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { plural } from '../output.ts';
import { badInput } from '../refusals.ts';

/** If it is killed at any moment, it can be run again. */
export const restore: RunCommand = async (context, { words: [word = ''], flags }) => {
  const { config, confirm } = context;
  const file = resolve(word);
  const isDryRun = flags['dry-run'] === true;
  using _lock = isDryRun ? null : lockOutServers(config.dataDir);
  const put = async (folder: string, contents: BackupContents): Promise<CommandResult> => {
    const remarks = remarksOn(contents);
    if (isDryRun) {
      const present = config.databaseUrl === null ? databaseFiles(config.dataDir) : [];
      return {
        data: { dry_run: true, file, would_set_aside: present, ...contents },
        lines: [
          `The backup is good: ${describeContents(contents)}. Nothing was changed.`,
          present.length > 0 && `${present.join(', ')} would be set aside.`,
          config.databaseUrl !== null &&
            (await inspectRecords(config)).kind !== 'absent' &&
            `There are records ${describeRecords(config)} already: they must be the same, row by row.`,
          ...remarks,
        ],
      };
    }
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
    await copyRecords(source, target, context.system.clock);
  }
  // Like a server: checks the keyring, and copies the withdrawn list into its table.
  await context.openRecords();
  return file === resolve(dataDir, DATABASE_FILE) ? setAside(dataDir, `moved-${context.now()}`) : null;
};

const remarksOn = (contents: BackupContents) => [
  contents.withdrawn_token_count > 0 &&
    `Withdrawn since then, so that the server will not use them: ${plural(contents.withdrawn_token_count, 'token')}.`,
  contents.lost_token_count > 0 &&
    `The keyring is an older copy, which cannot open ${plural(contents.lost_token_count, 'token')}: left out. Their donors can donate them again.`,
  contents.token_count > 0 &&
    contents.tokens_held &&
    `The list of withdrawn tokens that belongs to the backup is missing, and stored tokens are not used: run ops withdrawn merge with it or, if every copy is gone, ops withdrawn release.`,
  contents.unreadable_token_count > 0 &&
    `The keyring cannot open ${plural(contents.unreadable_token_count, 'token')}.`,
];
