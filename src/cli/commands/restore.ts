import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WITHDRAWN_FILE } from '#server/open-records.ts';
import { databaseFiles, lockOutServers, putInPlace } from '../backups/set-aside.ts';
import {
  describeContents,
  refuseWithPostgres,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import { isDryRun, type RunCommand } from '../command.ts';
import { plural } from '../output.ts';

const RESTORE_WITH =
  'stop every server, run pg_restore --clean --if-exists --no-owner --single-transaction --dbname=service=whoflake whoflake.dump, then start all of them, in any order: stored tokens are used once every machine has merged its withdrawn.txt.';

export const restore: RunCommand = async (context, input) => {
  const { dataDir } = context.config;
  const [file = ''] = input.words;
  refuseWithPostgres(context.config, RESTORE_WITH);
  using _lock = lockOutServers(dataDir);
  return withVerifiedCopy(context, file, (copy, contents) => {
    const remarks = remarksOn(dataDir, contents);
    if (isDryRun(input)) {
      const files = databaseFiles(dataDir);
      return {
        data: { file, would_set_aside: files, ...contents },
        lines: [
          `The backup is good: ${describeContents(contents)}. Nothing was changed.`,
          files.length > 0 && `${files.join(', ')} in ${dataDir} would be moved to a folder there.`,
          ...remarks,
        ],
      };
    }
    const aside = putInPlace(copy, dataDir, context.now());
    return {
      data: { file, set_aside: aside, ...contents },
      lines: [
        `The backup was restored: ${describeContents(contents)}.`,
        aside !== null && `The old files are in ${aside}: delete them once everything works.`,
        ...remarks,
        'Start the server now.',
      ],
    };
  });
};

const remarksOn = (dataDir: string, { tokens, withdrawn, unreadable }: BackupContents) => [
  withdrawn > 0 &&
    `Withdrawn since then, so that the server will not use them: ${plural(withdrawn, 'token')}.`,
  tokens > 0 &&
    !existsSync(join(dataDir, WITHDRAWN_FILE)) &&
    `There is no ${WITHDRAWN_FILE} in ${dataDir}: copy the list of the machine that the backup is from before you start the server. Without it stored tokens are not used until you run withdrawn release.`,
  unreadable > 0 && `The keyring cannot open ${plural(unreadable, 'token')}.`,
];
