import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeRecords, inspectRecords } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { openDatabase } from '#server/storage/database.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import type { Clock } from '#server/system.ts';
import { copyRecords, type CopiedRecords } from '../backups/copy-records.ts';
import { lockOutServers, setAside } from '../backups/set-aside.ts';
import { describeContents, withVerifiedCopy, type BackupContents } from '../backups/verify-backup.ts';
import { isDryRun, type CommandContext, type CommandResult, type RunCommand } from '../command.ts';
import { badInput, noRecords } from '../refusals.ts';

/** If it is killed at any moment, it can be run again. */
export const moveRecords: RunCommand = async (context, input) => {
  const { dataDir, databaseUrl } = context.config;
  if (databaseUrl === null)
    throw badInput(
      'DATABASE_URL is not set',
      'set it to the PostgreSQL database that the records are to move to.',
    );
  using _lock = isDryRun(input) ? null : lockOutServers(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) {
    const nothing = noRecords(dataDir, await context.settingsSource());
    if ((await inspectRecords(context.config)).kind === 'absent') throw nothing;
    return {
      data: { file: null, row_count: 0, copied: false, set_aside: null },
      lines: [`${nothing.finding}: the records are ${describeRecords(context.config)} already.`],
    };
  }
  return withVerifiedCopy(context, file, async (copy, contents) => {
    if (isDryRun(input)) return previewMove(context, file, contents);
    if (contents.tokens_held)
      throw badInput(
        'Stored tokens wait for a list of withdrawn tokens',
        'first end this without DATABASE_URL: ops withdrawn merge, or release.',
      );
    await context.confirm();
    const { rows, copied } = await copyInto(databaseUrl.reveal(), copy, context.system.clock);
    // Like a server: checks the keyring, and copies the withdrawn list into its table.
    await context.openRecords();
    const aside = setAside(dataDir, `moved-${context.now()}`);
    return {
      data: { file, row_count: rows, copied, set_aside: aside },
      lines: [
        copied
          ? `The records are now ${describeRecords(context.config)}, and each row was compared: ${describeContents(contents)}.`
          : `The records were ${describeRecords(context.config)} already, each row as it is here: ${describeContents(contents)}.`,
        `The old files are in ${aside}: delete them once everything works.`,
        'Start the server now. Backups go on as before, with pg_dump.',
      ],
    };
  });
};

const previewMove = async (
  { config }: CommandContext,
  file: string,
  contents: BackupContents,
): Promise<CommandResult> => {
  const isEmpty = (await inspectRecords(config)).kind === 'absent';
  return {
    data: { file, would_copy: isEmpty, ...contents },
    lines: [
      `The records can be moved: ${describeContents(contents)}. Nothing was changed.`,
      !isEmpty && `There are records ${describeRecords(config)} already: they must be the same, row by row.`,
    ],
  };
};

const copyInto = async (url: string, file: string, clock: Clock): Promise<CopiedRecords> => {
  await using source = (await openDatabase(file, { migrate: false })).database;
  await using target = (await openPostgresDatabase(url, { create: true })).database;
  return await copyRecords(source, target, clock);
};
