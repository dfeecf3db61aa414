import { constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, isKeyringBesideDatabase, WITHDRAWN_FILE } from '#server/open-records.ts';
import { StartError } from '#server/start-error.ts';
import { readKeyringFile } from '#server/vault/keyring-file.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { CommandContext } from '../command.ts';
import { plural } from '../output.ts';
import { allows } from './access.ts';
import { examineDatabase, OLDER } from './database.ts';
import type { Examination } from './examination.ts';

const MIN_FREE_BYTES = 100 * 1024 * 1024;

/** The folder, and what the server keeps in it and beside it. */
export const examineRecords = async (context: CommandContext): Promise<Examination[]> => {
  const { dataDir, keyringFile } = context.config;
  const database = examineDatabase(join(dataDir, DATABASE_FILE));
  return [
    examineFolder(dataDir),
    database,
    await examining('keyring', () =>
      existsSync(keyringFile) && database.mend === undefined && database.finding !== OLDER
        ? examineSealedRows(context)
        : examineKeyringFile(keyringFile),
    ),
    ...examinePlaceOfKeyring(context),
    await examining('withdrawn list', () => {
      openWithdrawnFile(join(dataDir, WITHDRAWN_FILE));
      return { what: 'withdrawn list', finding: 'can be read' };
    }),
  ];
};

/** A `StartError` says itself what is wrong and how to mend it. */
const examining = async (
  what: string,
  examine: () => Examination | Promise<Examination>,
): Promise<Examination> => {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const [finding = '', mend = ''] = error.message.split(': ');
    return { what, finding, mend };
  }
};

const examineFolder = (dataDir: string): Examination => {
  const what = 'data folder';
  if (!existsSync(dataDir))
    return { what, finding: `${dataDir} is not there`, mend: 'check DATA_DIR, or start the server once.' };
  if (!allows(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
    return { what, finding: `${dataDir} cannot be written to`, mend: 'run this as the user of the server.' };
  const { uid, mode } = statSync(dataDir);
  if (process.getuid !== undefined && uid !== process.getuid())
    return { what, finding: 'belongs to another user', mend: 'run this as the user of the server.' };
  if ((mode & 0o002) !== 0)
    return { what, finding: 'can be written to by anybody', mend: `run chmod 700 ${dataDir}.` };
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMegabytes = Math.floor((bavail * bsize) / 1024 / 1024);
  return bavail * bsize < MIN_FREE_BYTES
    ? { what, finding: `${freeMegabytes} MB are free`, mend: 'make room on the disk: 100 MB at least.' }
    : { what, finding: `${freeMegabytes} MB are free` };
};

const examineKeyringFile = (path: string): Examination => {
  const what = 'keyring';
  return readKeyringFile(path) === null
    ? { what, finding: `${path} is not there`, mend: 'put it back, or check KEYRING_FILE.' }
    : { what, finding: 'is there' };
};

const examineSealedRows = async (context: CommandContext): Promise<Examination> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = await donatedTokens.all();
  const closed = rows.filter((row) => openRow(vault, row) === null).length;
  const what = 'keyring';
  return closed === 0
    ? { what, finding: `opens ${plural(rows.length, 'stored token')}` }
    : {
        what,
        finding: `does not open ${plural(closed, 'stored token')} of ${rows.length}`,
        mend: 'they were altered: find them with tokens list, delete them with tokens retire.',
      };
};

const examinePlaceOfKeyring = ({ config }: CommandContext): Examination[] =>
  isKeyringBesideDatabase(config)
    ? [
        {
          what: 'keyring',
          finding: 'lies beside the database that it opens',
          mend: 'move it to another place, and set KEYRING_FILE.',
        },
      ]
    : [];
