import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDiskFull } from '#server/app-error.ts';
import { WITHDRAWN_FILE } from '#server/open-records.ts';
import { OperatorError } from '#server/operator-error.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { copyDatabase } from '#server/storage/database.ts';
import { linkNew, replaceFile } from '#server/storage/durable-file.ts';
import { seriesIn, seriesName } from '#server/storage/last-backup.ts';
import { isStorageFault, refuseOnFileError } from '#server/storage/storage-fault.ts';
import {
  describeContents,
  listBeside,
  removeLeftovers,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { plural } from '../output.ts';
import { badInput, failed, noRecords } from '../refusals.ts';

/** What a backup that was killed leaves behind. */
const DRAFT = /^whoflake-[\dTZ-]+\.sqlite\.new-\w{6}$/;

export const backup: RunCommand = async (context, { words: [file], flags }) => {
  const { into, keep, verify } = flags;
  if ((file === undefined) === (into === undefined))
    throw badInput('Give either a file, or a folder with --into.');
  if (keep !== undefined && into === undefined) throw badInput('--keep only works with --into.');
  if (context.config.databaseUrl !== null)
    throw badInput(
      'The records are in PostgreSQL, and this copies those of one machine',
      'use pg_dump, see "With PostgreSQL" in docs/backup.md.',
    );
  if (verify === true) return verifyOnly(context, file);
  return into === undefined
    ? backUp(context, resolve(file ?? ''))
    : continueSeries(context, String(into), keep);
};

const parseKeep = (text: string | boolean | undefined): number => {
  if (text === undefined) return Infinity;
  if (typeof text === 'string' && /^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw badInput('--keep takes a whole number from 1 to 99999.');
};

const unreadableLine = ({ unreadable_token_count: count }: BackupContents): string | false =>
  count > 0 && `The keyring cannot open ${plural(count, 'token')} in it.`;

const verifyOnly = async (context: CommandContext, file?: string): Promise<CommandResult> => {
  if (file === undefined) throw badInput('--verify takes a file, not a folder.');
  const path = resolve(file);
  return withVerifiedCopy(context, path, (_folder, contents) => ({
    data: { file: path, ...contents },
    lines: [
      `The backup ${path} is good: it is intact, and the keyring ${context.config.keyringFile} opens it. It holds ${describeContents(contents)}.`,
      unreadableLine(contents),
    ],
    state: contents.unreadable_token_count > 0 ? 'failed' : 'ok',
  }));
};

const backUp = async (context: CommandContext, path: string): Promise<CommandResult> => {
  const contents = await writeBackup(context, path);
  const { keyringFile } = context.config;
  return {
    data: { file: path, bytes: statSync(path).size, keyring_file: keyringFile, ...contents },
    lines: [
      `The database was copied to ${path} and the copy checked: ${describeContents(contents)}.`,
      unreadableLine(contents),
      `It does not include the keyring: keep a copy of ${keyringFile} somewhere else.`,
    ],
  };
};

const continueSeries = async (
  context: CommandContext,
  into: string,
  keepText: string | boolean | undefined,
): Promise<CommandResult> => {
  const folder = resolve(into);
  const keep = parseKeep(keepText);
  if (!existsSync(folder))
    throw badInput(
      `There is no folder ${folder}`,
      "create it for the server's user only, for example with install -d -o whoflake -m 700.",
    );
  const nowMs = context.system.clock.wallMs();
  const name = seriesName(nowMs);
  const result = await backUp(context, join(folder, name));
  // Never the one just made, even if the clock was wrong before.
  const others = seriesIn(folder).filter((other) => other !== name);
  const pruned = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const old of pruned.map((one) => join(folder, one)))
    for (const file of [old, listBeside(old)]) rmSync(file, { force: true });
  removeLeftovers(folder, DRAFT, nowMs);
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
  if (existsSync(path)) throw badInput('The file already exists', 'choose another name.');
  const drafts = refuseOnFileError(badInput('The file cannot be created', 'check its folder.'), () =>
    mkdtempSync(`${path}.new-`),
  );
  try {
    const draft = join(drafts, basename(path));
    const source = join(dataDir, DATABASE_FILE);
    if (!existsSync(source)) throw noRecords(dataDir, await context.settingsSource());
    await copyDatabase(source, draft);
    const contents = await withVerifiedCopy(context, draft, (_folder, found) => found);
    const list = join(dataDir, WITHDRAWN_FILE);
    if (existsSync(list)) replaceFile(listBeside(path), readFileSync(list, 'utf8'));
    linkNew(draft, path);
    return contents;
  } catch (error) {
    if (error instanceof OperatorError || isDiskFull(error) || !isStorageFault(error)) throw error;
    throw failed('The backup could not be written', 'check the disk.');
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
};
