import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-list.ts';
import { isKeyringBesideDatabase, WITHDRAWN_FILE } from '#server/open-records.ts';
import { DATABASE_FILE, freeBytes, isDatabaseLost, LEAST_FREE_BYTES } from '#server/storage/data-folder.ts';
import { inspectDatabase, type DatabaseState } from '#server/storage/database.ts';
import { BACKUP_IS_OLD_MS, findLastBackup } from '#server/storage/last-backup.ts';
import { readKeyringFile } from '#server/vault/keyring.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import type { CommandContext } from '../command.ts';
import { failed } from '../refusals.ts';
import { describeAge } from '../backups/series.ts';
import { nullOnFileError } from '#server/storage/storage-fault.ts';
import { ownerOf } from '../file-owner.ts';
import { plural } from '../output.ts';
import { check, warning, type Check, type Finding } from './check.ts';
import { checkPostgres } from './postgres.ts';

const inMb = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
const AS_THE_SERVER = "run this as the server's user.";

const KEYRING_BESIDE_DATABASE: Check = {
  what: 'keyring',
  state: 'failed',
  finding: 'is next to the database it unlocks',
  remedy: 'move it elsewhere and set KEYRING_FILE.',
};

export const checkRecords = async (context: CommandContext): Promise<Check[]> => {
  const { dataDir, databaseUrl, keyringFile } = context.config;
  const database = databaseUrl === null ? await inspectDatabase(join(dataDir, DATABASE_FILE)) : null;
  const databaseChecks =
    database === null
      ? await checkPostgres(context)
      : [await check('database', () => assessDatabase(database, context.config))];
  const isGood = databaseChecks[0]?.state === 'ok' && database?.kind !== 'outdated';
  return [
    await check('data folder', () => inspectFolder(dataDir)),
    ...databaseChecks,
    await check('keyring', () =>
      existsSync(keyringFile) && isGood ? inspectSealedTokens(context) : inspectKeyringFile(keyringFile),
    ),
    ...(isKeyringBesideDatabase(context.config) ? [KEYRING_BESIDE_DATABASE] : []),
    await check('withdrawn list', () => inspectWithdrawn(context, isGood)),
    await check('backup', () => inspectBackup(context)),
    ...(isGood && existsSync(keyringFile) ? [await check('vanity links', () => inspectLinks(context))] : []),
  ];
};

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

const DAMAGED = ['is damaged', 'stop the server, move it away and restore a backup.'] as const;

const DATABASE_PROBLEMS = {
  absent: ['does not exist', 'start the server once, or restore a backup.'],
  forbidden: ['this user may not open it', AS_THE_SERVER],
  busy: ['is busy', 'wait until no other program is using it, then try again.'],
  damaged: DAMAGED,
  altered: ['has triggers or views that are not ours', DAMAGED[1]],
  foreign: DAMAGED,
} as const;

const refuseForeignFile = (dataDir: string): void => {
  const path = join(dataDir, DATABASE_FILE);
  const [owner, right] = [ownerOf(path), ownerOf(dataDir)];
  if (owner !== null && right !== null && owner.uid !== right.uid)
    throw failed(
      `belongs to ${owner.name}, but its folder belongs to ${right.name}`,
      `run chown ${right.name} ${path}* as root.`,
    );
};

const assessDatabase = async (database: DatabaseState, config: Config): Promise<string> => {
  refuseForeignFile(config.dataDir);
  if (isDatabaseLost(config))
    throw failed(
      'is missing, but there has been one',
      'is the disk of DATA_DIR mounted? If so, restore a backup with ops restore, or start a new site with ops init.',
    );
  if (!('version' in database)) {
    const [finding, remedy] = DATABASE_PROBLEMS[database.kind];
    throw failed(finding, remedy);
  }
  const { kind, version } = database;
  if (kind === 'newer')
    throw failed(`is version ${version}, which is too new`, 'upgrade to a newer version of this program.');
  if (kind === 'outdated') return 'intact, from an older version; the next start upgrades it';
  return `intact, version ${version}`;
};

/** A site without backups works until it needs one; a schedule that has stopped is a problem now. */
const inspectBackup = ({ config, system }: CommandContext): string | Finding => {
  const last = findLastBackup(config);
  if (last === null)
    return warning(
      'none is ever made on this machine',
      config.databaseUrl === null
        ? 'set BACKUP_DIR, and the server makes one every day.'
        : 'make one with pg_dump every day, and set BACKUP_DIR to its folder (docs/backup.md).',
    );
  if (last.isUnusable === true)
    return warning(
      'the last one needs a key that was retired since',
      'make a new one with ops backup --into, and keep an old keyring for older ones.',
    );
  const age = describeAge(last, system.clock.wallMs());
  if (system.clock.wallMs() - Date.parse(last.at) <= BACKUP_IS_OLD_MS)
    return `the last good one is ${age} old`;
  throw failed(
    `the last good one is ${age} old`,
    'see backup-failed in the log, or make one with ops backup --into.',
  );
};

const inspectLinks = async (context: CommandContext): Promise<string | Finding> => {
  const links = await (await context.openRecords()).vanityLinks.all();
  const paused = links.filter(({ paused_because: because }) => because !== null && because !== 'operator');
  if (paused.length === 0) return plural(links.length, 'link');
  const names = paused.map(({ name }) => name).join(', ');
  return warning(
    `${names}: the invite leads elsewhere, or nowhere`,
    'write to the donor, then see ops help vanity.',
  );
};

const inspectWithdrawn = async (context: CommandContext, areRecordsGood: boolean): Promise<string> => {
  const { dataDir, keyringFile } = context.config;
  openWithdrawnFile(join(dataDir, WITHDRAWN_FILE));
  if (!areRecordsGood || !existsSync(keyringFile)) return 'readable';
  if (!(await (await context.openRecords()).withdrawn.isHeld())) return 'readable';
  throw failed(
    'the database was restored, and may lack withdrawals; stored tokens are not used',
    'start all machines or merge their lists, then run ops withdrawn release.',
  );
};

const inspectKeyringFile = (path: string): string => {
  if (readKeyringFile(path) !== null) return 'present';
  throw failed(`${path} does not exist`, 'put it back, or check KEYRING_FILE.');
};

const inspectSealedTokens = async (context: CommandContext): Promise<string | Finding> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = await donatedTokens.all();
  const closed = rows.filter((row) => openRow(vault, row) === null).length;
  const foreign = rows.find(({ platform }) => platform !== context.config.platform.kind);
  const finding = `opens ${plural(rows.length, 'stored token')}`;
  if (closed === 0 && foreign === undefined) return finding;
  if (closed === 0)
    return warning(
      `${finding}, of which some were donated with PLATFORM=${foreign?.platform}, and are not used`,
      'check PLATFORM, or delete those that ops tokens list shows as other-platform with ops tokens remove.',
    );
  throw failed(
    `cannot open ${closed} of ${plural(rows.length, 'stored token')}`,
    'they were altered: find them with ops tokens list, delete them with ops tokens remove.',
  );
};
