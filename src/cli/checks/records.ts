import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import { DATABASE_FILE, isKeyringBesideDatabase, WITHDRAWN_FILE } from '#server/open-records.ts';
import { inspectDatabase, type DatabaseState } from '#server/storage/inspect-database.ts';
import { readKeyringFile } from '#server/vault/keyring-file.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { CommandContext } from '../command.ts';
import { plural } from '../output.ts';
import { checkByUsing, good, problem, type Check } from './check.ts';

const MIN_FREE_MB = 100;
const AS_THE_SERVER = 'run this as the user of the server.';

/** The folder, and what the server keeps in it and beside it. */
export const checkRecords = async (context: CommandContext): Promise<Check[]> => {
  const { dataDir, keyringFile } = context.config;
  const database = inspectDatabase(join(dataDir, DATABASE_FILE));
  return [
    checkFolder(dataDir),
    checkDatabase(database),
    await checkByUsing('keyring', () =>
      existsSync(keyringFile) && database.kind === 'good'
        ? checkSealedTokens(context)
        : checkKeyringFile(keyringFile),
    ),
    ...(isKeyringBesideDatabase(context.config)
      ? [
          problem(
            'keyring',
            'lies beside the database that it opens',
            'move it to another place, and set KEYRING_FILE.',
          ),
        ]
      : []),
    await checkByUsing('withdrawn list', () => {
      openWithdrawnFile(join(dataDir, WITHDRAWN_FILE));
      return good('withdrawn list', 'can be read');
    }),
  ];
};

const checkFolder = (dataDir: string): Check => {
  const what = 'data folder';
  if (!existsSync(dataDir))
    return problem(what, `${dataDir} is not there`, 'check DATA_DIR, or start the server once.');
  if (!isWritable(dataDir)) return problem(what, `${dataDir} cannot be written to`, AS_THE_SERVER);
  const { uid, mode } = statSync(dataDir);
  if (process.getuid !== undefined && uid !== process.getuid())
    return problem(what, 'belongs to another user', AS_THE_SERVER);
  if ((mode & 0o002) !== 0) return problem(what, 'can be written to by anybody', `run chmod 700 ${dataDir}.`);
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
  return freeMb < MIN_FREE_MB
    ? problem(what, `${freeMb} MB are free`, `make room on the disk: ${MIN_FREE_MB} MB at least.`)
    : good(what, `${freeMb} MB are free`);
};

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const checkDatabase = (database: DatabaseState): Check => {
  const what = 'database';
  switch (database.kind) {
    case 'absent':
      return problem(what, 'is not there', 'start the server once, or restore a backup.');
    case 'forbidden':
      return problem(what, 'is not for this user to open', AS_THE_SERVER);
    case 'busy':
      return problem(what, 'is busy', 'wait until no other program has it open, then look again.');
    case 'damaged':
    case 'foreign':
      return problem(what, 'is damaged', 'stop the server, move it away and restore a backup.');
    case 'newer':
      return problem(what, `is of version ${database.version}`, 'run a newer version of this program.');
    case 'outdated':
      return good(what, 'whole, of an older version that the next start brings up to date');
    case 'good':
      return good(what, `whole, version ${database.version}`);
  }
};

const checkKeyringFile = (path: string): Check =>
  readKeyringFile(path) === null
    ? problem('keyring', `${path} is not there`, 'put it back, or check KEYRING_FILE.')
    : good('keyring', 'is there');

const checkSealedTokens = async (context: CommandContext): Promise<Check> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = await donatedTokens.all();
  const closed = rows.filter((row) => openRow(vault, row) === null).length;
  return closed === 0
    ? good('keyring', `opens ${plural(rows.length, 'stored token')}`)
    : problem(
        'keyring',
        `does not open ${plural(closed, 'stored token')} of ${rows.length}`,
        'they were altered: find them with tokens list, delete them with tokens remove.',
      );
};
