import { resolve } from 'node:path';
import { WITHDRAWN_FILE } from '#server/open-records.ts';
import { databaseFiles, lockOutServers, putInPlace } from '../backups/set-aside.ts';
import {
  describeContents,
  refusePostgres,
  withVerifiedCopy,
  type BackupContents,
} from '../backups/verify-backup.ts';
import { isDryRun, type RunCommand } from '../command.ts';
import { plural } from '../output.ts';

export const restore: RunCommand = async (context, input) => {
  const { dataDir } = context.config;
  const file = resolve(input.words[0] ?? '');
  refusePostgres(context);
  using _lock = isDryRun(input) ? null : lockOutServers(dataDir);
  return withVerifiedCopy(context, file, async (copy, contents) => {
    const remarks = remarksOn(dataDir, contents);
    if (isDryRun(input)) {
      const present = databaseFiles(dataDir);
      return {
        data: { file, would_set_aside: present, ...contents },
        lines: [
          `The backup is good: ${describeContents(contents)}. Nothing was changed.`,
          present.length > 0 && `${present.join(', ')} would be set aside.`,
          ...remarks,
        ],
      };
    }
    await context.confirm();
    const aside = putInPlace(copy, dataDir, context.now());
    return {
      data: { file, set_aside: aside, ...contents },
      lines: [
        `The backup was restored: ${describeContents(contents)}.`,
        aside !== null && `The old records are in ${aside}: delete them once everything works.`,
        ...remarks,
        'Start the server now.',
      ],
    };
  });
};

const remarksOn = (dataDir: string, contents: BackupContents) => [
  contents.withdrawn_token_count > 0 &&
    `Withdrawn since then, so that the server will not use them: ${plural(contents.withdrawn_token_count, 'token')}.`,
  contents.token_count > 0 &&
    contents.tokens_held &&
    `The ${WITHDRAWN_FILE} that belongs to the backup is not in ${dataDir}: copy it there before you start the server. Without it stored tokens are not used until you run withdrawn release.`,
  contents.unreadable_token_count > 0 &&
    `The keyring cannot open ${plural(contents.unreadable_token_count, 'token')}.`,
];
