import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDiskFull } from '#server/app-error.ts';
import { isStorageFault, refuseOnFileError } from '#server/storage/storage-fault.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { copyDatabase } from '#server/storage/database.ts';
import { linkNew } from '#server/storage/durable-file.ts';
import { writeLastBackup } from '#server/storage/last-backup.ts';
import { OperatorError } from '#server/operator-error.ts';
import { DRAFT, pruneSeries, seriesName } from '../backups/series.ts';
import {
  describeContents,
  intactVersion,
  refusePostgres,
  removeLeftovers,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { badInput, failed, noRecords } from '../refusals.ts';
import { plural } from '../output.ts';

export const backup: RunCommand = async (context, { words: [file], flags }) => {
  const { into, keep, verify } = flags;
  if ((file === undefined) === (into === undefined))
    throw badInput('Give either a file, or a folder with --into.');
  if (keep !== undefined && into === undefined) throw badInput('--keep only works with --into.');
  refusePostgres(context);
  if (verify === true) return verifyOnly(context, file);
  return typeof into === 'string'
    ? continueSeries(context, { folder: resolve(into), keep: parseKeep(keep) })
    : backUpOnce(context, resolve(file ?? ''));
};

const parseKeep = (text: string | boolean | undefined): number | null => {
  if (text === undefined) return null;
  if (typeof text === 'string' && /^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw badInput('--keep takes a whole number from 1 to 99999.');
};

const unreadableLine = ({ unreadable_token_count: count }: BackupContents): string | false =>
  count > 0 && `The keyring cannot open ${plural(count, 'token')} in it.`;

const verifyOnly = async (context: CommandContext, file?: string): Promise<CommandResult> => {
  if (file === undefined) throw badInput('--verify takes a file, not a folder.');
  const path = resolve(file);
  return withVerifiedCopy(context, path, (_copy, contents) => ({
    data: { file: path, ...contents },
    lines: [
      `The backup ${path} is good: it is intact, and the keyring ${context.config.keyringFile} opens it. It holds ${describeContents(contents)}.`,
      unreadableLine(contents),
    ],
    state: contents.unreadable_token_count > 0 ? 'failed' : 'ok',
  }));
};

/** A copy that is intact stays, even if the keyring does not open it. */
const backUpOnce = async (context: CommandContext, path: string): Promise<CommandResult> => {
  await writeBackup(context, path);
  const { keyringFile } = context.config;
  const data = { file: path, bytes: statSync(path).size, keyring_file: keyringFile };
  const reminder = `It does not include the keyring: keep a copy of ${keyringFile} somewhere else.`;
  try {
    return await withVerifiedCopy(context, path, (_copy, contents) => ({
      data: { ...data, ...contents },
      lines: [
        `The database was copied to ${path} and the copy checked: ${describeContents(contents)}.`,
        unreadableLine(contents),
        reminder,
      ],
    }));
  } catch (failure) {
    const finding = `The database was copied to ${path}. The copy is intact, but could not be checked further.`;
    return { data, lines: [finding, reminder], failure };
  }
};

const continueSeries = async (
  context: CommandContext,
  { folder, keep }: { readonly folder: string; readonly keep: number | null },
): Promise<CommandResult> => {
  if (!existsSync(folder))
    throw badInput(
      `There is no folder ${folder}`,
      "create it for the server's user only, for example with install -d -o whoflake -m 700.",
    );
  const nowMs = context.system.clock.wallMs();
  const name = seriesName(nowMs);
  const result = await backUpOnce(context, join(folder, name));
  // A backup that could not be checked does not count, and no older one is deleted for it.
  if (result.failure !== undefined) return result;
  writeLastBackup(context.config.dataDir, { at: context.now(), file: join(folder, name) });
  const pruned = keep === null ? [] : pruneSeries(folder, keep, name);
  removeLeftovers(folder, DRAFT, nowMs);
  return {
    data: { ...result.data, pruned },
    lines: [
      ...result.lines,
      pruned.length > 0 && `Deleted ${plural(pruned.length, 'older backup')}: ${pruned.join(', ')}.`,
    ],
  };
};

/** The file gets its name once the copy is known to be intact. */
const writeBackup = async ({ config, settingsSource }: CommandContext, path: string): Promise<void> => {
  if (existsSync(path)) throw badInput('The file already exists', 'choose another name.');
  const drafts = refuseOnFileError(badInput('The file cannot be created', 'check its folder.'), () =>
    mkdtempSync(`${path}.new-`),
  );
  try {
    const draft = join(drafts, basename(path));
    const source = join(config.dataDir, DATABASE_FILE);
    if (!existsSync(source)) throw noRecords(config.dataDir, await settingsSource());
    await copyDatabase(source, draft);
    await intactVersion(draft);
    linkNew(draft, path);
  } catch (error) {
    if (error instanceof OperatorError || isDiskFull(error) || !isStorageFault(error)) throw error;
    throw failed('The backup could not be written', 'check the disk.');
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
};
