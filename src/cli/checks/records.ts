import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-list.ts';
import { TOKENS_HELD } from '#server/notices/notices.ts';
import { isKeyringBesideDatabase, WITHDRAWN_FILE } from '#server/open-records.ts';
import { isLoopback } from '#server/setting-reader.ts';
import {
  DATABASE_FILE,
  freeBytes,
  LEAST_FREE_BYTES,
  refuseLostDatabase,
} from '#server/storage/data-folder.ts';
import { inspectDatabase } from '#server/storage/database.ts';
import { BACKUP_IS_OLD_MS, findLastBackup, restoreCommand } from '#server/storage/last-backup.ts';
import { nullOnFileError } from '#server/storage/storage-fault.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import { readKeyringFile } from '#server/vault/keyring.ts';
import type { CommandContext } from '../command.ts';
import { ownerOf } from '../file-owner.ts';
import { describeDuration, plural } from '../output.ts';
import { failed } from '../refusals.ts';
import { check, warning, type Check, type Finding } from './check.ts';
import { checkPostgres, describeVersion } from './postgres.ts';

const inMb = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
const AS_THE_SERVER = "run this as the server's user.";

export const checkRecords = async (context: CommandContext): Promise<Check[]> => {
  const { config } = context;
  const { dataDir, databaseUrl, keyringFile } = config;
  const databaseChecks =
    databaseUrl === null
      ? [await check('database', () => inspectFile(config))]
      : await checkPostgres(context);
  const isGood = databaseChecks[0]?.state === 'ok' && existsSync(keyringFile);
  return [
    await check('data folder', () => inspectFolder(dataDir)),
    ...databaseChecks,
    await check('keyring', () => (isGood ? inspectSealedTokens(context) : inspectKeyringFile(keyringFile))),
    ...(isKeyringBesideDatabase(config) ? [keyringBesideDatabase(config)] : []),
    await check('withdrawn list', () => inspectWithdrawn(context, isGood)),
    await check('backup', () => inspectBackup(context)),
    ...(isGood ? [await check('vanity links', () => inspectLinks(context))] : []),
  ];
};

/** Where nobody else can reach the site it is the way that the README shows. */
const keyringBesideDatabase = ({ publicUrl }: Config): Check => ({
  what: 'keyring',
  state: isLoopback(new URL(publicUrl).hostname) ? 'warning' : 'failed',
  finding: 'is next to the database it unlocks',
  remedy: 'move it elsewhere and set KEYRING_FILE.',
});

const inspectFolder = (dataDir: string): string => {
  if (!existsSync(dataDir))
    throw failed(`${dataDir} does not exist`, 'check DATA_DIR, or start the server once.');
  if (nullOnFileError(() => accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)) === null)
    throw failed(`${dataDir} cannot be written to`, AS_THE_SERVER);
  const { uid, mode } = statSync(dataDir);
  if (process.getuid !== undefined && uid !== process.getuid())
    throw failed('belongs to another user', AS_THE_SERVER);
  if ((mode & 0o002) !== 0) throw failed('is writable by anyone', `run chmod 700 ${dataDir}.`);
  const free = freeBytes(dataDir);
  if (free === null)
    throw failed('its disk does not answer', 'check that it is mounted, and the system log.');
  if (free >= LEAST_FREE_BYTES) return `${inMb(free)} MB free`;
  throw failed(`${inMb(free)} MB free`, `free up disk space: at least ${inMb(LEAST_FREE_BYTES)} MB.`);
};

const refuseForeignFile = (dataDir: string): void => {
  const path = join(dataDir, DATABASE_FILE);
  const [owner, right] = [ownerOf(path), ownerOf(dataDir)];
  if (owner !== null && right !== null && owner.uid !== right.uid)
    throw failed(
      `belongs to ${owner.name}, but its folder belongs to ${right.name}`,
      `run chown ${right.name} ${path}* as root.`,
    );
};

const inspectFile = async (config: Config): Promise<string | Finding> => {
  refuseForeignFile(config.dataDir);
  refuseLostDatabase(config);
  const database = await inspectDatabase(join(config.dataDir, DATABASE_FILE));
  if ('version' in database) return describeVersion(database, 'intact');
  const restore = `stop the server, and run ${restoreCommand(config)}.`;
  const [finding, remedy] = {
    absent: ['does not exist', 'start the server once, or restore a backup.'],
    forbidden: ['this user may not open it', AS_THE_SERVER],
    busy: ['is busy', 'wait until no other program is using it, then try again.'],
    damaged: ['is damaged', restore],
    altered: ['has triggers or views that are not ours', restore],
    foreign: ['is not one of Whoflake', restore],
  }[database.kind] as [string, string];
  throw failed(finding, remedy);
};

/** A site without backups works until it needs one; a schedule that has stopped is a problem now. */
const inspectBackup = ({ config, system }: CommandContext): string | Finding => {
  const { backupDir, databaseUrl } = config;
  const isOurs = databaseUrl === null;
  if (backupDir === null)
    return warning(
      'BACKUP_DIR is not set',
      isOurs
        ? 'set it, and the server makes a backup there every day.'
        : 'make one with pg_dump every day, and set it to their folder (docs/backup.md).',
    );
  const last = findLastBackup(config);
  if (last === null && existsSync(backupDir) && nullOnFileError(() => readdirSync(backupDir)) === null)
    throw failed(`${backupDir} cannot be read`, AS_THE_SERVER);
  if (last === null)
    return warning(
      `there is none in ${backupDir} yet`,
      isOurs
        ? 'the server makes one soon after its start: see backup-failed in its log.'
        : 'make one with pg_dump --format=custom every day (docs/backup.md).',
    );
  const ageMs = system.clock.wallMs() - Date.parse(last.at);
  const finding = `the last good one is ${describeDuration(ageMs)} old: ${last.file}`;
  if (ageMs <= BACKUP_IS_OLD_MS) return finding;
  throw failed(
    finding,
    isOurs
      ? 'see backup-failed in the log, or make one with ops backup --into.'
      : 'see why pg_dump makes none.',
  );
};

const inspectLinks = async (context: CommandContext): Promise<string | Finding> => {
  const links = await (await context.openRecords()).vanityLinks.all();
  const paused = links.filter(({ paused_because: because }) => because !== null && because !== 'operator');
  if (paused.length === 0) return plural(links.length, 'link');
  return warning(
    `${paused.map(({ name }) => name).join(', ')}: the invite leads elsewhere, or nowhere`,
    'write to the donor, then see ops help vanity.',
  );
};

const inspectWithdrawn = async (context: CommandContext, isGood: boolean): Promise<string> => {
  openWithdrawnFile(join(context.config.dataDir, WITHDRAWN_FILE));
  if (!isGood || !(await (await context.openRecords()).withdrawn.isHeld())) return 'readable';
  const [finding, remedy] = TOKENS_HELD;
  throw failed(finding, remedy);
};

const inspectKeyringFile = (path: string): string => {
  if (readKeyringFile(path) !== null) return 'present';
  throw failed(`${path} does not exist`, 'put it back, or check KEYRING_FILE.');
};

const inspectSealedTokens = async (context: CommandContext): Promise<string | Finding> => {
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
