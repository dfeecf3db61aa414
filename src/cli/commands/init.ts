import { describeRecords, inspectRecords } from '#server/open-records.ts';
import { databaseFiles, lockOutServers } from '../backups/set-aside.ts';
import type { RunCommand } from '../command.ts';
import { badInput } from '../failure.ts';

export const init: RunCommand = async ({ config, openRecords }) => {
  const { dataDir, databaseUrl, keyringFile } = config;
  const place = describeRecords(config);
  if ((await inspectRecords(config)).kind !== 'absent') {
    // Refuses what the server would refuse.
    await openRecords();
    return { lines: [`There is already a site ${place}: nothing was changed.`] };
  }
  using _lock = lockOutServers(dataDir);
  if (databaseUrl === null && databaseFiles(dataDir).length > 0)
    throw badInput(
      `A crash left part of a database in ${dataDir}`,
      'restore a backup, or move these files away first.',
    );
  await openRecords({ isNewSite: true });
  const copies = databaseUrl === null ? '' : 'copy it to every machine of this site, and ';
  return {
    lines: [`Began a new site ${place}. Its keyring is ${keyringFile}: ${copies}keep a copy somewhere else.`],
  };
};
