import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { badInput, type RunCommand } from '../command.ts';

export const init: RunCommand = async (context) => {
  const { dataDir, keyringFile } = context.config;
  if (existsSync(join(dataDir, DATABASE_FILE)))
    throw badInput(`There is a database in ${dataDir} already: nothing was changed.`);
  await context.openRecords({ create: true, isNewSite: true });
  return {
    data: { data_dir: dataDir, keyring_file: keyringFile },
    lines: [
      `A new database is in ${dataDir}. Its keyring is ${keyringFile}: keep a copy of it in another place.`,
    ],
  };
};
