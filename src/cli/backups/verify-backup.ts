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
import type { Config } from '#server/config.ts';
import { DATABASE_FILE, describeRecords, openRecords, WITHDRAWN_FILE } from '#server/open-records.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { badInput, type CommandContext } from '../command.ts';
import { orRefuse } from '../file-errors.ts';
import { plural } from '../output.ts';

/** What a backup holds, in counts. `withdrawn`: taken back by their donors since then. */
export type BackupContents = {
  readonly tokens: number;
  readonly unreadable: number;
  readonly withdrawn: number;
  readonly links: number;
  readonly opt_outs: number;
};

/** For commands that work on the SQLite file: with PostgreSQL that file is not in use. */
export const refuseWithPostgres = (config: Config, remedy: string): void => {
  if (config.databaseUrl !== null) throw badInput(`The records are ${describeRecords(config)}`, remedy);
};

const PREFIX = 'trial-';
const DAY_MS = 86_400_000;

/** A folder on the disk of the database, deleted with all that is in it after `use`. */
export const withScratchFolder = async <T>(
  { config: { dataDir }, system }: CommandContext,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  removeLeftovers(dataDir, system.clock.wallMs());
  const folder = mkdtempSync(join(dataDir, PREFIX));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // It may have been mistyped.
    if (made !== undefined && readdirSync(dataDir).length === 0) rmSync(made, { recursive: true });
  }
};

/** Folders that killed commands left behind. After a day no command is still working in one. */
const removeLeftovers = (dataDir: string, wallMs: number): void => {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    if (/^trial-\w{6}$/.test(name) && statSync(path).mtimeMs < wallMs - DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
};

/** Copies a backup, opens the copy as the server would, and hands over both the copy and what it holds. */
export const withVerifiedCopy = <T>(
  context: CommandContext,
  file: string,
  use: (copy: string, contents: BackupContents) => T | Promise<T>,
): Promise<T> =>
  withScratchFolder(context, async (folder) => {
    const copy = copyBackup(file, folder);
    return use(copy, await openCopy(context, folder));
  });

/**
 * Copies a backup into the folder and says where to: SQLite may write beside what it reads, and a log that lies beside
 * the file, as after a crash, belongs to it. Refuses a damaged file and one that is not ours.
 */
export const copyBackup = (file: string, folder: string): string => {
  const copy = join(folder, DATABASE_FILE);
  orRefuse(badInput(`There is no file ${file}, or this user may not read it.`), () => {
    for (const end of ['', '-wal'].filter((end) => end === '' || existsSync(`${file}${end}`))) {
      copyFileSync(`${file}${end}`, `${copy}${end}`);
      chmodSync(`${copy}${end}`, 0o600);
    }
  });
  const { kind } = inspectDatabase(copy, { check: 'integrity_check' });
  if (kind === 'good' || kind === 'outdated') return copy;
  if (kind === 'foreign') throw badInput("The file is a database, but not one of Whoflake's.");
  throw kind === 'newer'
    ? new OperatorError(
        EXIT.databaseNewer,
        'The backup is from a newer version of this program',
        'restore it with that version.',
      )
    : new OperatorError(EXIT.databaseCorrupt, 'The file is not a database, or is damaged', 'use another.');
};

/** As the server would: brought up to date, and with the keyring that it needs. */
export const openCopy = async (
  { config, system }: CommandContext,
  folder: string,
): Promise<BackupContents> => {
  // Otherwise the vault would create a new keyring for a database without tokens.
  if (!existsSync(config.keyringFile))
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${config.keyringFile} is missing, so the backup cannot be checked`,
      'put it back, or set KEYRING_FILE to where it is.',
    );
  const withdrawn = openWithdrawnFile(join(config.dataDir, WITHDRAWN_FILE));
  const records = await openRecords({ ...config, databaseUrl: null, dataDir: folder }, system);
  try {
    const rows = await records.donatedTokens.all();
    return {
      tokens: rows.length,
      unreadable: rows.filter((row) => openRow(records.vault, row) === null).length,
      withdrawn: rows.filter(({ id }) => withdrawn.has(id)).length,
      links: (await records.vanityLinks.all()).length,
      opt_outs: (await records.optOuts.all()).length,
    };
  } finally {
    await records.close();
  }
};

export const describeContents = ({ tokens, links, opt_outs }: BackupContents): string =>
  `${plural(tokens, 'token')}, ${plural(links, 'vanity link')}, ${plural(opt_outs, 'opt-out')}`;
