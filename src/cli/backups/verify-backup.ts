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
import { badInput } from '../failure.ts';
import { giveUpLostKeys } from './older-keyring.ts';
import { refuseOnFileError } from '#server/storage/storage-fault.ts';
import { plural } from '../output.ts';
import { DAY_MS, type System } from '#server/system.ts';

export type BackupContents = Awaited<ReturnType<typeof openCopy>> & {
  readonly lost_token_count: number;
  readonly database_version: number;
};

const intactVersion = async (copy: string): Promise<number> => {
  const state = await inspectDatabase(copy, 'integrity_check');
  if ('version' in state && state.kind !== 'newer') return state.version;
  const refusals: Partial<Record<typeof state.kind, readonly [exitCode: number, finding: string]>> = {
    newer: [EXIT.databaseNewer, 'The file is from a newer version of this program'],
    foreign: [EXIT.badInput, "The file is a database, but not one of Whoflake's"],
    altered: [EXIT.databaseCorrupt, 'The file has triggers or views that are not ours'],
  };
  const damaged = [EXIT.databaseCorrupt, 'The file is not a database, or is damaged'] as const;
  throw new OperatorError(...(refusals[state.kind] ?? damaged), 'use another.');
};

/** For the time of a command, on the disk of `parent`, so that what is made there can be linked into its place. */
export const withScratchFolder = async <T>(
  parent: string,
  { clock }: System,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const made = mkdirSync(parent, { recursive: true, mode: 0o700 });
  // Of a command that was killed: after a day none is still working there.
  for (const path of readdirSync(parent).map((name) => join(parent, name)))
    if (/\/trial-\w{6}$/.test(path) && statSync(path).mtimeMs < clock.wallMs() - DAY_MS)
      rmSync(path, { recursive: true, force: true });
  const folder = mkdtempSync(join(parent, 'trial-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // DATA_DIR may have been mistyped.
    if (made !== undefined && readdirSync(parent).length === 0) rmSync(made, { recursive: true });
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
  withScratchFolder(context.config.dataDir, context.system, async (folder) => {
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
    for (const end of existsSync(`${file}-wal`) ? ['', '-wal'] : ['']) {
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

export const remarksOn = (contents: BackupContents): readonly (string | false)[] => [
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
