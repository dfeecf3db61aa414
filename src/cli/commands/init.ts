import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { LOCK_FILE, lockFolder } from '#server/storage/folder-lock.ts';
import { salvage } from '../backups/salvage.ts';
import { databaseFiles, putInPlace } from '../backups/set-aside.ts';
import { copyBackup, withTrialFolder } from '../backups/trial.ts';
import { badInput, type CommandContext, type CommandResult, type RunCommand } from '../command.ts';
import { plural } from '../output.ts';

export const init: RunCommand = async (context, { flags: { from } }) => {
  const { dataDir, keyringFile } = context.config;
  using _lock = existsSync(join(dataDir, LOCK_FILE)) ? lockFolder(dataDir) : null;
  if (typeof from === 'string') return initFrom(context, resolve(from));
  if (databaseFiles(dataDir).length > 0)
    throw badInput(
      `There is a database in ${dataDir} already, or what a crash left of one: nothing was changed.`,
    );
  await context.openRecords({ create: true, isNewSite: true });
  return {
    data: { data_dir: dataDir, keyring_file: keyringFile },
    lines: [
      `A new database is in ${dataDir}. Its keyring is ${keyringFile}: keep a copy of it in another place.`,
    ],
  };
};

const initFrom = (context: CommandContext, file: string): Promise<CommandResult> =>
  withTrialFolder(context, async (folder) => {
    const { dataDir, keyringFile } = context.config;
    const made = join(folder, 'made');
    mkdirSync(made, { mode: 0o700 });
    const { links, tokens, opt_outs } = await salvage(context, made, copyBackup(file, folder));
    const aside = putInPlace(join(made, DATABASE_FILE), dataDir, context.now());
    return {
      data: {
        data_dir: dataDir,
        keyring_file: keyringFile,
        from: file,
        set_aside: aside,
        links,
        tokens,
        opt_outs,
      },
      lines: [
        `A new database is in ${dataDir}, with what could be saved from ${file}: ${plural(links, 'vanity link')}, ${plural(opt_outs.saved, 'opt-out')}, ${plural(tokens.saved, 'token')}.`,
        opt_outs.lost > 0 &&
          `${plural(opt_outs.lost, 'opt-out')} lost: their key went with the keyring, and nobody can tell whose they were. Those people are shown again until you add them again.`,
        tokens.lost > 0 &&
          `${plural(tokens.lost, 'token')} lost: the keyring does not open them. Their donors can donate them again.`,
        aside !== null && `What was there is in ${aside}.`,
        `Its keyring is ${keyringFile}: keep a copy of it in another place.`,
      ],
    };
  });
