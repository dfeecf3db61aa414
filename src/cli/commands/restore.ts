import { copyFileSync, chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openRecords, WITHDRAWN_FILE } from '#server/open-records.ts';
import { linkNew, syncFile } from '#server/storage/durable-file.ts';
import { LOCK_FILE, lockFolder } from '#server/storage/folder-lock.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { openWithdrawnFile } from '#server/donation/withdrawn-file.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { badInput, type RunCommand, type CommandContext } from '../command.ts';
import { plural } from '../output.ts';

export const restore: RunCommand = async (context, { words: [file = ''] }) => {
  const { config } = context;
  const target = join(config.dataDir, DATABASE_FILE);
  // Where no server has ever begun there is no lock, and none is made.
  using _lock = existsSync(join(config.dataDir, LOCK_FILE)) ? lockFolder(config.dataDir) : null;
  refuseUnlessVacant(config.dataDir, target);
  const trial = join(config.dataDir, 'restore');
  const copy = join(trial, DATABASE_FILE);
  try {
    rmSync(trial, { recursive: true, force: true });
    mkdirSync(trial, { recursive: true, mode: 0o700 });
    copyBackup(file, copy);
    const found = await tryOut(context, trial);
    syncFile(copy);
    linkNew(copy, target);
    return {
      data: { file, ...found },
      lines: [
        `The backup is in place: ${plural(found.tokens, 'token')}, ${plural(found.links, 'vanity link')}, ${plural(found.opt_outs, 'opt-out')}.`,
        found.withdrawn > 0 &&
          `${plural(found.withdrawn, 'token')} taken back since then: the server will not use them.`,
        found.unreadable > 0 && `${plural(found.unreadable, 'token')} that the keyring does not open.`,
        'Start the server now.',
      ],
    };
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
};

/** A log that was left behind belongs to another database, and SQLite would play it into this one. */
const refuseUnlessVacant = (dataDir: string, target: string): void => {
  if ([target, `${target}-wal`, `${target}-shm`].some((path) => existsSync(path)))
    throw badInput(
      `There is a database in ${dataDir}`,
      `with the server stopped, move ${DATABASE_FILE} and what begins like it to another folder.`,
    );
};

/** Looked at only as a copy: SQLite may write beside what it reads. */
const copyBackup = (file: string, copy: string): void => {
  try {
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
  } catch {
    throw badInput('There is no such file, or it cannot be read.');
  }
  const { kind } = inspectDatabase(copy);
  if (kind === 'good' || kind === 'outdated') return;
  if (kind === 'foreign') throw badInput('The file is a database, but not one of this program.');
  throw kind === 'newer'
    ? badInput('The backup is from a newer version of this program', 'restore it with that version.')
    : badInput('The file is no database, or a damaged one', 'use another.');
};

/** Opens the copy as the server would: brought up to date, and with the keyring that it needs. */
const tryOut = async (context: CommandContext, folder: string) => {
  const { config, system } = context;
  const withdrawn = openWithdrawnFile(join(config.dataDir, WITHDRAWN_FILE));
  const records = await openRecords({ ...config, dataDir: folder }, system);
  try {
    const rows = await records.donatedTokens.all();
    return {
      tokens: rows.length,
      unreadable: rows.filter((row) => openRow(records.vault, row) === null).length,
      withdrawn: rows.filter(({ id }) => withdrawn.has(id)).length,
      links: (await records.vanityLinks.all()).length,
      opt_outs: (await records.optOuts.all()).length,
    };
  } finally {
    await records.close();
  }
};
