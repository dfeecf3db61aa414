import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { TOKENS_HELD } from '#server/notices/notices.ts';
import { describeRecords, isKeyringBesideDatabase } from '#server/open-records.ts';
import { isLoopback } from '#server/setting-reader.ts';
import { freeBytes, LEAST_FREE_BYTES } from '#server/storage/data-folder.ts';
import { BACKUP_IS_OLD_MS, findLastBackup } from '#server/storage/last-backup.ts';
import { nullOnFileError } from '#server/storage/storage-fault.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import type { CommandContext } from '../command.ts';
import { describeDuration, inMb, plural } from '../output.ts';
import { failed } from '../failure.ts';
import { warning, type Checks, type Found } from './check.ts';

const AS_THE_SERVER = "run this as the server's user.";

const inspectFolder = ({ config: { dataDir } }: CommandContext): Found => {
  if (nullOnFileError(() => accessSync(dataDir, constants.W_OK | constants.X_OK)) === null)
    throw failed(
      `${dataDir} does not exist, or cannot be written to`,
      `check DATA_DIR, and ${AS_THE_SERVER}`,
    );
  if ((statSync(dataDir).mode & 0o002) !== 0)
    throw failed('is writable by anyone', `run chmod 700 ${dataDir}.`);
  const free = freeBytes(dataDir) ?? 0;
  if (free >= LEAST_FREE_BYTES) return `${inMb(free)} free`;
  throw failed(`${inMb(free)} free`, `free up disk space: at least ${inMb(LEAST_FREE_BYTES)}.`);
};

/** What the server would refuse is refused here. */
const inspectRecords = async ({ config, openRecords }: CommandContext): Promise<Found> => {
  await openRecords();
  return describeRecords(config);
};

/** Where nobody else can reach the site it is the way that the README shows. */
const inspectKeyringPlace = ({ config }: CommandContext): Found => {
  if (!isKeyringBesideDatabase(config)) return [];
  const isAlone = isLoopback(new URL(config.publicUrl).hostname);
  const found = warning('is next to the database it unlocks', 'move it elsewhere and set KEYRING_FILE.');
  return { ...found, state: isAlone ? 'warning' : 'failed' };
};

/** A site without backups works until it needs one; a schedule that has stopped is a problem now. */
const inspectBackup = ({ config, system }: CommandContext): Found => {
  const { backupDir, databaseUrl } = config;
  const remedy =
    databaseUrl === null
      ? 'the server makes one every day: see backup-failed in its log.'
      : 'make one with pg_dump every day (docs/backup.md).';
  if (backupDir === null) return warning('BACKUP_DIR is not set', `set it to a folder: ${remedy}`);
  const last = findLastBackup(config);
  if (last === null && existsSync(backupDir) && nullOnFileError(() => readdirSync(backupDir)) === null)
    throw failed(`${backupDir} cannot be read`, AS_THE_SERVER);
  if (last === null) return warning(`there is none in ${backupDir} yet`, remedy);
  const ageMs = system.clock.wallMs() - Date.parse(last.at);
  const finding = `the last good one is ${describeDuration(ageMs)} old: ${last.file}`;
  if (ageMs <= BACKUP_IS_OLD_MS) return finding;
  throw failed(finding, remedy);
};

const inspectSealedTokens = async (context: CommandContext): Promise<Found> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = await donatedTokens.all();
  const closed = rows.filter((row) => openRow(vault, row) === null).length;
  if (closed > 0)
    throw failed(
      `cannot open ${closed} of ${plural(rows.length, 'stored token')}`,
      'they were altered: find them with ops tokens list, delete them with ops tokens remove.',
    );
  const foreign = rows.find(({ platform }) => platform !== context.config.platform.kind);
  const finding = `opens ${plural(rows.length, 'stored token')}`;
  if (foreign === undefined) return finding;
  return warning(
    `${finding}, of which some were donated with PLATFORM=${foreign.platform}, and are not used`,
    'check PLATFORM, or delete those that ops tokens list shows as other-platform with ops tokens remove.',
  );
};

const inspectWithdrawn = async (context: CommandContext): Promise<Found> => {
  if (!(await (await context.openRecords()).withdrawn.isHeld())) return 'readable';
  throw failed(...TOKENS_HELD);
};

const inspectLinks = async (context: CommandContext): Promise<Found> => {
  const links = await (await context.openRecords()).vanityLinks.all();
  const paused = links.filter(({ paused_because: because }) => because !== null && because !== 'operator');
  if (paused.length === 0) return plural(links.length, 'link');
  return warning(
    `${paused.map(({ name }) => name).join(', ')}: the invite leads elsewhere, or nowhere`,
    'write to the donor, then see ops help vanity.',
  );
};

/** The last of them says whether the others can be made. */
export const FILE_CHECKS: Checks = [
  ['data folder', inspectFolder],
  ['keyring', inspectKeyringPlace],
  ['backup', inspectBackup],
  ['records', inspectRecords],
];

export const RECORD_CHECKS: Checks = [
  ['keyring', inspectSealedTokens],
  ['withdrawn list', inspectWithdrawn],
  ['vanity links', inspectLinks],
];
