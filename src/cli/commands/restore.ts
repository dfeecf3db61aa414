import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WITHDRAWN_FILE } from '#server/open-records.ts';
import { LOCK_FILE, lockFolder } from '#server/storage/folder-lock.ts';
import { refuseInPostgres } from '../backups/in-postgres.ts';
import { databaseFiles, putInPlace } from '../backups/set-aside.ts';
import {
  copyBackup,
  describeContents,
  openTrial,
  withTrialFolder,
  type BackupContents,
} from '../backups/trial.ts';
import type { CommandContext, RunCommand } from '../command.ts';
import { plural } from '../output.ts';

/** The list of withdrawn tokens that a machine keeps is newer than the one in the backup, and goes first. */
const RESTORE_WITH =
  'stop every server, run pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" whoflake.dump, then start first the machine with the longest withdrawn.txt.';

export const restore: RunCommand = async (context, { words: [file = ''], flags }) => {
  const { dataDir } = context.config;
  refuseInPostgres(context.config, RESTORE_WITH);
  // Where no server has ever begun there is no lock, and none is made.
  using _lock = existsSync(join(dataDir, LOCK_FILE)) ? lockFolder(dataDir) : null;
  return withTrialFolder(context, async (folder) => {
    const copy = copyBackup(file, folder);
    const found = await openTrial(context, folder);
    if (flags['dry-run'] === true) return rehearsed(context, file, found);
    return restored(context, { file, found, aside: putInPlace(copy, dataDir, context.now()) });
  });
};

const rehearsed = ({ config: { dataDir } }: CommandContext, file: string, found: BackupContents) => ({
  data: { file, dry_run: true, would_set_aside: databaseFiles(dataDir), ...found },
  lines: [
    `The backup is good: ${describeContents(found)}. Nothing was changed.`,
    databaseFiles(dataDir).length > 0 &&
      `${databaseFiles(dataDir).join(', ')} in ${dataDir} would be moved to a folder there.`,
    ...remarks(dataDir, found),
  ],
});

type Restored = { readonly file: string; readonly aside: string | null; readonly found: BackupContents };

const restored = ({ config: { dataDir } }: CommandContext, { file, aside, found }: Restored) => ({
  data: { file, set_aside: aside, ...found },
  lines: [
    `The backup was restored: ${describeContents(found)}.`,
    aside !== null && `The old files are in ${aside}: delete them once everything works.`,
    ...remarks(dataDir, found),
    'Start the server now.',
  ],
});

const remarks = (dataDir: string, { tokens, withdrawn, unreadable }: BackupContents) => [
  withdrawn > 0 && `${plural(withdrawn, 'token')} withdrawn since then: the server will not use them.`,
  tokens > 0 &&
    !existsSync(join(dataDir, WITHDRAWN_FILE)) &&
    `There is no ${WITHDRAWN_FILE} in ${dataDir}: if donors have withdrawn tokens on another machine since the backup, copy its list here before you start the server.`,
  unreadable > 0 && `The keyring cannot open ${plural(unreadable, 'token')}.`,
];
