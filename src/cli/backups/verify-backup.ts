import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { openRecords, WITHDRAWN_FILE } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { SCHEMA_VERSION } from '#server/storage/migrations.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { inspectDatabase } from '#server/storage/database.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import type { CommandContext } from '../command.ts';
import { badInput } from '../refusals.ts';
import { giveUpLostKeys } from './older-keyring.ts';
import { refuseOnFileError } from '#server/storage/storage-fault.ts';
import { plural } from '../output.ts';
import { DAY_MS } from '#server/system.ts';

export type BackupContents = Awaited<ReturnType<typeof openCopy>> & {
  readonly lost_token_count: number;
  readonly database_version: number;
};

const intactVersion = async (copy: string): Promise<number> => {
  const state = await inspectDatabase(copy, 'integrity_check');
  if (state.kind === 'newer')
    throw new OperatorError(
      EXIT.databaseNewer,
      'The backup is from a newer version of this program',
      'restore it with that version.',
    );
  if ('version' in state) return state.version;
  if (state.kind === 'foreign' || state.kind === 'absent')
    throw badInput("The file is a database, but not one of Whoflake's.");
  const finding =
    state.kind === 'altered'
      ? 'The file has triggers or views that are not ours'
      : 'The file is not a database, or is damaged';
  throw new OperatorError(EXIT.databaseCorrupt, finding, 'use another.');
};

/** On the disk of the database, so that what is made there can be linked into its place. */
const withScratchFolder = async <T>(
  { config: { dataDir }, system }: CommandContext,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  removeLeftovers(dataDir, /^trial-\w{6}$/, system.clock.wallMs());
  const folder = mkdtempSync(join(dataDir, 'trial-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // DATA_DIR may have been mistyped.
    if (made !== undefined && readdirSync(dataDir).length === 0) rmSync(made, { recursive: true });
  }
};

/** After a day no command is still working there. */
export const removeLeftovers = (folder: string, names: RegExp, wallMs: number): void => {
  for (const name of readdirSync(folder).filter((one) => names.test(one))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < wallMs - DAY_MS) rmSync(path, { recursive: true, force: true });
  }
};

/** Beside a backup: the list of withdrawn tokens as it then was. */
export const listBeside = (file: string): string => `${file}.withdrawn`;

/** `folder` is as DATA_DIR would be with the backup in it. */
export const withVerifiedCopy = <T>(
  context: CommandContext,
  file: string,
  use: (folder: string, contents: BackupContents) => T | Promise<T>,
  { giveUpLost = false } = {},
): Promise<T> =>
  withScratchFolder(context, async (folder) => {
    const { config } = context;
    const database_version = await copyBackup(file, folder);
    const list = join(config.dataDir, WITHDRAWN_FILE);
    if (existsSync(list)) copyFileSync(list, join(folder, WITHDRAWN_FILE));
    const copy = join(folder, DATABASE_FILE);
    const lost_token_count = giveUpLost ? await giveUpLostKeys(copy, config.keyringFile) : 0;
    const contents = await openCopy(context, { folder, file });
    return use(folder, { ...contents, lost_token_count, database_version });
  });

/** SQLite may write beside what it reads, and a log that lies beside the file, as after a crash, belongs to it. */
const copyBackup = async (file: string, folder: string): Promise<number> => {
  const copy = join(folder, DATABASE_FILE);
  refuseOnFileError(badInput(`There is no file ${file}, or this user may not read it.`), () => {
    for (const end of ['', '-wal'].filter((end) => end === '' || existsSync(`${file}${end}`))) {
      copyFileSync(`${file}${end}`, `${copy}${end}`);
      chmodSync(`${copy}${end}`, 0o600);
    }
  });
  return intactVersion(copy);
};

const openCopy = async (
  { config, system }: CommandContext,
  { folder, file }: { readonly folder: string; readonly file: string },
) => {
  const copied = { ...config, databaseUrl: null, dataDir: folder };
  await using records = await openRecords(copied, system);
  const { withdrawn } = records;
  const beside = listBeside(file);
  if (existsSync(beside)) await withdrawn.merge(beside);
  const rows = await records.donatedTokens.all();
  return {
    token_count: rows.length,
    unreadable_token_count: rows.filter((row) => openRow(records.vault, row) === null).length,
    withdrawn_token_count: rows.filter(({ id }) => withdrawn.has(id)).length,
    /** The list of withdrawn tokens that it was with is neither in DATA_DIR nor beside it. */
    tokens_held: await withdrawn.isHeld(),
    link_count: (await records.vanityLinks.all()).length,
    opt_out_count: (await records.optOuts.all()).length,
    /** What this program would bring it to. */
    current_version: SCHEMA_VERSION,
  };
};

export const describeContents = ({ token_count, link_count, opt_out_count }: BackupContents): string =>
  `${plural(token_count, 'token')}, ${plural(link_count, 'vanity link')}, ${plural(opt_out_count, 'opt-out')}`;
