import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import {
  DATABASE_FILE,
  isDatabaseLost,
  isKeyringBesideDatabase,
  WITHDRAWN_FILE,
} from '#server/open-records.ts';
import { inspectDatabase, type DatabaseState } from '#server/storage/inspect-database.ts';
import { BACKUP_IS_OLD_MS, readLastBackup } from '#server/storage/last-backup.ts';
import { readKeyringFile } from '#server/vault/keyring-file.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { failed, type CommandContext } from '../command.ts';
import { describeAge } from '../backups/age.ts';
import { plural } from '../output.ts';
import { check, type Check } from './check.ts';
import { ownerOf } from './owner.ts';

const MIN_FREE_MB = 100;
const AS_THE_SERVER = 'run this as the user of the server.';

/** The folder, and what the server keeps in it and beside it. */
export const checkRecords = async (context: CommandContext): Promise<Check[]> => {
  const { dataDir, keyringFile } = context.config;
  const database = inspectDatabase(join(dataDir, DATABASE_FILE));
  const beside: Check = {
    what: 'keyring',
    state: 'failed',
    finding: 'lies beside the database that it opens',
    remedy: 'move it to another place, and set KEYRING_FILE.',
  };
  return [
    await check('data folder', () => lookAtFolder(dataDir)),
    await check('database', () => lookAtDatabase(database, context.config)),
    await check('keyring', () =>
      existsSync(keyringFile) && database.kind === 'good'
        ? lookAtSealedTokens(context)
        : lookAtKeyringFile(keyringFile),
    ),
    ...(isKeyringBesideDatabase(context.config) ? [beside] : []),
    await check('withdrawn list', () => {
      openWithdrawnFile(join(dataDir, WITHDRAWN_FILE));
      return 'can be read';
    }),
    await check('backup', () => lookAtBackup(context)),
  ];
};

const lookAtFolder = (dataDir: string): string => {
  if (!existsSync(dataDir))
    throw failed(`${dataDir} is not there`, 'check DATA_DIR, or start the server once.');
  if (!isWritable(dataDir)) throw failed(`${dataDir} cannot be written to`, AS_THE_SERVER);
  const { uid, mode } = statSync(dataDir);
  if (process.getuid !== undefined && uid !== process.getuid())
    throw failed('belongs to another user', AS_THE_SERVER);
  if ((mode & 0o002) !== 0) throw failed('can be written to by anybody', `run chmod 700 ${dataDir}.`);
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
  if (freeMb >= MIN_FREE_MB) return `${freeMb} MB are free`;
  throw failed(`${freeMb} MB are free`, `make room on the disk: ${MIN_FREE_MB} MB at least.`);
};

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const DAMAGED = ['is damaged', 'stop the server, move it away and restore a backup.'] as const;

const DATABASE_PROBLEMS = {
  absent: ['is not there', 'start the server once, or restore a backup.'],
  forbidden: ['may not be opened by this user', AS_THE_SERVER],
  busy: ['is busy', 'wait until no other program has it open, then look again.'],
  damaged: DAMAGED,
  foreign: DAMAGED,
} as const;

/** A command that root ran, or a copy by hand, leaves a file to another user than its folder. */
const refuseForeignFile = (dataDir: string): void => {
  const path = join(dataDir, DATABASE_FILE);
  const [owner, right] = [ownerOf(path), ownerOf(dataDir)];
  if (owner !== null && right !== null && owner.uid !== right.uid)
    throw failed(
      `belongs to ${owner.name}, and its folder to ${right.name}`,
      `run chown ${right.name} ${path}* as root.`,
    );
};

const lookAtDatabase = (database: DatabaseState, config: Config): string => {
  refuseForeignFile(config.dataDir);
  if (isDatabaseLost(config))
    throw failed(
      'is lost: there is its keyring, but no database',
      'restore a backup with ops restore, or begin a new site with ops init.',
    );
  if (!('version' in database)) {
    const [finding, remedy] = DATABASE_PROBLEMS[database.kind];
    throw failed(finding, remedy);
  }
  const { kind, version } = database;
  if (kind === 'newer') throw failed(`is of version ${version}`, 'run a newer version of this program.');
  return kind === 'good'
    ? `whole, version ${version}`
    : 'whole, of an older version that the next start brings up to date';
};

/** That there is no series is the operator's to decide; one that has stopped is not. */
const lookAtBackup = ({ config: { dataDir }, system }: CommandContext): string => {
  const last = readLastBackup(dataDir);
  if (last === null) return 'none is made by itself: ops backup --into, by a timer, would';
  const age = describeAge(last, system.clock.wallMs());
  if (system.clock.wallMs() - Date.parse(last.at) <= BACKUP_IS_OLD_MS)
    return `the last good one is ${age} old`;
  throw failed(
    `the last good one is ${age} old`,
    'see why with journalctl -u whoflake-backup, or make one with ops backup --into.',
  );
};

const lookAtKeyringFile = (path: string): string => {
  if (readKeyringFile(path) !== null) return 'is there';
  throw failed(`${path} is not there`, 'put it back, or check KEYRING_FILE.');
};

const lookAtSealedTokens = async (context: CommandContext): Promise<string> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = await donatedTokens.all();
  const closed = rows.filter((row) => openRow(vault, row) === null).length;
  if (closed === 0) return `opens ${plural(rows.length, 'stored token')}`;
  throw failed(
    `does not open ${plural(closed, 'stored token')} of ${rows.length}`,
    'they were altered: find them with ops tokens list, delete them with ops tokens remove.',
  );
};
