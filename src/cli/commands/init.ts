import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE_FILE, describeRecords, inspectRecords } from '#server/open-records.ts';
import { salvage } from '../backups/salvage.ts';
import { databaseFiles, lockOutServers, putInPlace } from '../backups/set-aside.ts';
import { copyBackup, refuseWithPostgres, withScratchFolder } from '../backups/verify-backup.ts';
import { badInput, type CommandContext, type CommandResult, type RunCommand } from '../command.ts';
import { plural } from '../output.ts';

export const init: RunCommand = async (context, { flags: { from } }) => {
  const { dataDir, databaseUrl, keyringFile } = context.config;
  using _lock = lockOutServers(dataDir);
  if (typeof from === 'string') return initFrom(context, resolve(from));
  if (databaseUrl !== null) return initInPostgres(context);
  if (databaseFiles(dataDir).length > 0)
    throw badInput(
      `There is already a database in ${dataDir}, or what a crash left of one: nothing was changed.`,
    );
  await context.openRecords({ create: true, isNewSite: true });
  return {
    data: { data_dir: dataDir, keyring_file: keyringFile },
    lines: [
      `Created a new database in ${dataDir}. Its keyring is ${keyringFile}: keep a copy of it somewhere else.`,
    ],
  };
};

const initInPostgres = async (context: CommandContext): Promise<CommandResult> => {
  const { config } = context;
  const place = describeRecords(config);
  if ((await inspectRecords(config)).kind !== 'absent')
    throw badInput(`There are already records ${place}: nothing was changed.`);
  await context.openRecords({ create: true, isNewSite: true });
  return {
    data: { records: place, keyring_file: config.keyringFile },
    lines: [
      `Began a new site ${place}. Its keyring is ${config.keyringFile}: copy it to every machine of this site, and keep a copy somewhere else.`,
    ],
  };
};

const initFrom = (context: CommandContext, file: string): Promise<CommandResult> => {
  refuseWithPostgres(
    context.config,
    'run this without DATABASE_URL, then bring what it made there with ops move-records.',
  );
  return withScratchFolder(context, async (folder) => {
    const { dataDir, keyringFile } = context.config;
    const made = join(folder, 'made');
    mkdirSync(made, { mode: 0o700 });
    const salvaged = await salvage(context, made, copyBackup(file, folder));
    const { links, tokens, opt_outs } = salvaged;
    const aside = putInPlace(join(made, DATABASE_FILE), dataDir, context.now());
    return {
      data: { data_dir: dataDir, keyring_file: keyringFile, from: file, set_aside: aside, ...salvaged },
      lines: [
        `Created a new database in ${dataDir} with what could be saved from ${file}: ${plural(links, 'vanity link')}, ${plural(opt_outs.saved, 'opt-out')}, ${plural(tokens.saved, 'token')}.`,
        opt_outs.lost > 0 &&
          `${plural(opt_outs.lost, 'opt-out')} lost: their key was on the keyring, and nobody can tell who they were. Those people will be shown until you add them again.`,
        tokens.lost > 0 &&
          `${plural(tokens.lost, 'token')} lost: the keyring cannot open them. Their donors can donate them again.`,
        aside !== null && `The old files are in ${aside}.`,
        `Its keyring is ${keyringFile}: keep a copy of it somewhere else.`,
      ],
    };
  });
};
