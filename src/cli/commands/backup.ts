import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { WITHDRAWN_FILE } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { copyDatabase } from '#server/storage/database.ts';
import { linkNew, replaceFile } from '#server/storage/durable-file.ts';
import { seriesIn, seriesName } from '#server/storage/last-backup.ts';
import {
  describeContents,
  listBeside,
  remarksOn,
  withScratchFolder,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { plural } from '../output.ts';
import { badInput, noRecords } from '../failure.ts';

export const backup: RunCommand = async (context, { words: [file], flags: { into, keep, verify } }) => {
  if ((file === undefined) === (into === undefined) || (verify === true && into !== undefined))
    throw badInput('Give either a file, or a folder with --into; --verify takes a file.');
  if (keep !== undefined && (into === undefined || !/^[1-9]\d{0,4}$/.test(String(keep))))
    throw badInput('--keep takes a whole number from 1 to 99999, and only works with --into.');
  if (context.config.databaseUrl !== null)
    throw badInput(
      'The records are in PostgreSQL, and this copies those of one machine',
      'use pg_dump, see "With PostgreSQL" in docs/backup.md.',
    );
  if (typeof into === 'string') return continueSeries(context, resolve(into), Number(keep ?? Infinity));
  return (verify === true ? verifyOnly : backUp)(context, resolve(String(file)));
};

const verifyOnly = (context: CommandContext, file: string): Promise<CommandResult> =>
  withVerifiedCopy(context, file, (_folder, contents) => ({
    data: { file, ...contents },
    lines: [
      `The backup ${file} is good: it is intact, and the keyring ${context.config.keyringFile} opens it. It holds ${describeContents(contents)}.`,
      ...remarksOn(contents),
    ],
    state: contents.unreadable_token_count > 0 ? 'failed' : 'ok',
  }));

const backUp = async (context: CommandContext, path: string): Promise<CommandResult> => {
  const contents = await writeBackup(context, path);
  const { keyringFile } = context.config;
  return {
    data: { file: path, bytes: statSync(path).size, keyring_file: keyringFile, ...contents },
    lines: [
      `The database was copied to ${path} and the copy checked: ${describeContents(contents)}.`,
      ...remarksOn(contents),
      `It does not include the keyring: keep a copy of ${keyringFile} somewhere else.`,
    ],
  };
};

const continueSeries = async (
  context: CommandContext,
  folder: string,
  keep: number,
): Promise<CommandResult> => {
  const name = seriesName(context.system.clock.wallMs());
  const result = await backUp(context, join(folder, name));
  // Never the one just made, even if the clock was wrong before.
  const others = seriesIn(folder).filter((other) => other !== name);
  const pruned = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const old of pruned.map((one) => join(folder, one)))
    for (const file of [old, listBeside(old)]) rmSync(file, { force: true });
  return {
    data: { ...result.data, pruned },
    lines: [
      ...result.lines,
      pruned.length > 0 && `Deleted ${plural(pruned.length, 'older backup')}: ${pruned.join(', ')}.`,
    ],
  };
};

/** The file gets its name once the copy is known to be good, and not before its list lies beside it. */
const writeBackup = async (context: CommandContext, path: string): Promise<BackupContents> => {
  const { dataDir } = context.config;
  const source = join(dataDir, DATABASE_FILE);
  if (existsSync(path)) throw badInput('The file already exists', 'choose another name.');
  if (!existsSync(dirname(path)))
    throw badInput(
      `There is no folder ${dirname(path)}`,
      "create it for the server's user only, for example with install -d -o whoflake -m 700.",
    );
  if (!existsSync(source)) throw noRecords(dataDir, await context.settingsSource());
  return withScratchFolder(dirname(path), context.system, async (folder) => {
    const draft = join(folder, basename(path));
    await copyDatabase(source, draft);
    const contents = await withVerifiedCopy(context, draft, (_folder, found) => found);
    const list = join(dataDir, WITHDRAWN_FILE);
    if (existsSync(list)) replaceFile(listBeside(path), readFileSync(list, 'utf8'));
    linkNew(draft, path);
    return contents;
  });
};
