import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeRecords, inspectRecords } from '#server/open-records.ts';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { salvage } from '../backups/salvage.ts';
import { databaseFiles, lockOutServers, putInPlace } from '../backups/set-aside.ts';
import { copyBackup, withScratchFolder } from '../backups/verify-backup.ts';
import type { CommandContext, CommandResult, RunCommand } from '../command.ts';
import { badInput } from '../refusals.ts';
import { plural } from '../output.ts';

export const init: RunCommand = async (context, { flags: { from } }) => {
  const { config } = context;
  const { dataDir, databaseUrl, keyringFile } = config;
  const place = describeRecords(config);
  const data = { place, keyring_file: keyringFile };
  if (from === undefined && (await inspectRecords(config)).kind !== 'absent') {
    // Refuses what the server would refuse.
    await context.openRecords();
    return {
      data: { created: false, ...data },
      lines: [`There is already a site ${place}: nothing was changed.`],
    };
  }
  using _lock = lockOutServers(dataDir);
  if (typeof from === 'string') return initFrom(context, resolve(from));
  if (databaseUrl === null && databaseFiles(dataDir).length > 0)
    throw badInput(
      `A crash left part of a database in ${dataDir}`,
      'restore a backup, or move these files away first.',
    );
  await context.openRecords({ isNewSite: true });
  const copies = databaseUrl === null ? '' : 'copy it to every machine of this site, and ';
  return {
    data: { created: true, ...data },
    lines: [`Began a new site ${place}. Its keyring is ${keyringFile}: ${copies}keep a copy somewhere else.`],
  };
};

const initFrom = async (context: CommandContext, file: string): Promise<CommandResult> => {
  if (context.config.databaseUrl !== null)
    throw badInput(
      `The records are ${describeRecords(context.config)}`,
      'run this without DATABASE_URL, then bring what it made there with ops move-records.',
    );
  return withScratchFolder(context, async (folder) => {
    const { dataDir, keyringFile } = context.config;
    const made = join(folder, 'made');
    mkdirSync(made, { mode: 0o700 });
    const { copy } = await copyBackup(file, folder);
    // Before a keyring is made.
    await context.confirm();
    const salvaged = await salvage(context, made, copy);
    const { saved, lost } = salvaged;
    const aside = putInPlace(join(made, DATABASE_FILE), dataDir, context.now());
    return {
      data: {
        created: true,
        place: describeRecords(context.config),
        keyring_file: keyringFile,
        file,
        set_aside: aside,
        ...salvaged,
      },
      lines: [
        `Created a new database in ${dataDir} with what could be saved from ${file}: ${plural(saved.link_count, 'vanity link')}, ${plural(saved.opt_out_count, 'opt-out')}, ${plural(saved.token_count, 'token')}.`,
        lost.opt_out_count > 0 &&
          `${plural(lost.opt_out_count, 'opt-out')} lost: their key was on the keyring, and nobody can tell who they were. Those people will be shown until you add them again.`,
        lost.token_count > 0 &&
          `${plural(lost.token_count, 'token')} lost: the keyring cannot open them. Their donors can donate them again.`,
        aside !== null && `The old files are in ${aside}.`,
        `Its keyring is ${keyringFile}: keep a copy of it somewhere else.`,
      ],
    };
  });
};
