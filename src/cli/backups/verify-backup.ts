import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import { openRecords, recordsVersion, WITHDRAWN_FILE } from '#server/open-records.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { DatabaseState } from '#server/storage/inspect-database.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { badInput, type CommandContext } from '../command.ts';
import { plural } from '../output.ts';

/** What a backup holds. `withdrawn`: taken back by their donors since then. */
export type BackupContents = {
  readonly token_count: number;
  readonly unreadable_token_count: number;
  readonly withdrawn_token_count: number;
  readonly link_count: number;
  readonly opt_out_count: number;
  /** The database's version in the backup, and the one that this program would bring it to. */
  readonly database_version: number;
  readonly current_version: number;
};

/** A copy of a backup that was opened as the server would. */
export type VerifiedBackup = {
  readonly contents: BackupContents;
  /** Replaces the site's records with the copy. Deletes nothing: returns where the old ones are now, if there were any. */
  readonly putInPlace: () => Promise<string | null>;
};

/** How backups of a site's records are made and used. */
export type SiteBackups = {
  /** How their names end. */
  readonly ending: 'sqlite' | 'dump';
  /** Copies the records into a new file, also while servers write to them. */
  readonly copyTo: (path: string) => Promise<void>;
  readonly withVerified: <T>(file: string, use: (verified: VerifiedBackup) => T | Promise<T>) => Promise<T>;
  /** Refuses if a server is running, and where possible keeps servers out until it is disposed. */
  readonly lockOutServers: () => Promise<Disposable | null>;
  /** What a restore would set aside. */
  readonly present: () => Promise<readonly string[]>;
};

export const noSuchFile = (file: string): OperatorError =>
  badInput(`There is no file ${file}, or this user may not read it.`);

export const damaged = (): OperatorError =>
  new OperatorError(EXIT.databaseCorrupt, 'The file is not a database, or is damaged', 'use another.');

/** The version of a copy. Refuses one that is damaged, or not ours. */
export const versionOf = (state: DatabaseState): number => {
  if (state.kind === 'good' || state.kind === 'outdated') return state.version;
  if (state.kind === 'foreign' || state.kind === 'absent')
    throw badInput("The file is a database, but not one of Whoflake's.");
  if (state.kind === 'altered')
    throw new OperatorError(
      EXIT.databaseCorrupt,
      'The file has tables, triggers or views that are not ours',
      'use another.',
    );
  throw state.kind === 'newer'
    ? new OperatorError(
        EXIT.databaseNewer,
        'The backup is from a newer version of this program',
        'restore it with that version.',
      )
    : damaged();
};

type CopyPlace = Partial<Pick<Config, 'dataDir' | 'databaseUrl'>>;

/** As the server would: brought up to date, and with the keyring that it needs. */
export const openCopy = async (
  { config, system }: CommandContext,
  place: CopyPlace,
  database_version: number,
): Promise<BackupContents> => {
  // Otherwise the vault would create a new keyring for a database without tokens.
  if (!existsSync(config.keyringFile))
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${config.keyringFile} is missing, so the backup cannot be checked`,
      'put it back, or set KEYRING_FILE to where it is.',
    );
  const withdrawn = openWithdrawnFile(join(config.dataDir, WITHDRAWN_FILE));
  const copied = { ...config, ...place };
  const records = await openRecords(copied, system);
  try {
    const rows = await records.donatedTokens.all();
    return {
      token_count: rows.length,
      unreadable_token_count: rows.filter((row) => openRow(records.vault, row) === null).length,
      withdrawn_token_count: rows.filter(({ id }) => withdrawn.has(id)).length,
      link_count: (await records.vanityLinks.all()).length,
      opt_out_count: (await records.optOuts.all()).length,
      database_version,
      current_version: recordsVersion(copied),
    };
  } finally {
    await records.close();
  }
};

export const describeContents = ({ token_count, link_count, opt_out_count }: BackupContents): string =>
  `${plural(token_count, 'token')}, ${plural(link_count, 'vanity link')}, ${plural(opt_out_count, 'opt-out')}`;
