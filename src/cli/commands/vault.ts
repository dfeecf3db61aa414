import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { findLastBackup } from '#server/storage/last-backup.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';
import { lockOutServers } from '../backups/set-aside.ts';
import { createNodeStore } from '#server/storage/node-store.ts';
import { retireKey, rotateKey } from '#server/vault/key-rotation.ts';
import { isKeyName, readKeyring } from '#server/vault/keyring.ts';
import type { RunCommand } from '../command.ts';
import { badInput } from '../failure.ts';
import { plural, table } from '../output.ts';

export const status: RunCommand = async (context) => {
  const { keyringFile } = context.config;
  const { vault, donatedTokens } = await context.openRecords();
  const rows = await donatedTokens.outlines();
  const keys = (readKeyring(keyringFile)?.keys ?? []).map(({ kid, created }) => ({
    key: kid,
    created_day: created.slice(0, 10),
    token_count: rows.filter((row) => row.kid === kid).length,
    active: kid === vault.kid,
  }));
  return {
    lines: [
      ...table(['KEY', 'CREATED', 'TOKENS', 'ACTIVE'], keys),
      `The keyring is ${keyringFile}: keep a copy of it, but not with your backups.`,
    ],
  };
};

const refuseRunning = async (database: Database): Promise<void> => {
  const servers = isPostgres(database) ? await createNodeStore(database).live() : [];
  if (servers.length > 0)
    throw new OperatorError(
      EXIT.serverRunning,
      `Servers are running on these records: ${servers.map(({ name }) => name).join(', ')}`,
      'stop them all first; one that was killed is forgotten after 10 seconds.',
    );
};

export const rotate: RunCommand = async (context) => {
  const { dataDir, keyringFile, databaseUrl } = context.config;
  const records = await context.openRecords();
  using _lock = lockOutServers(dataDir);
  const { kid, resealed, unreadable } = await rotateKey({
    ...records,
    system: context.system,
    keyringFile,
    refuseRunning,
    onProgress: (done, total) => context.terminal.progress(`Sealed ${done} of ${total}…`),
  });
  const copies = databaseUrl === null ? '' : 'copy it to every machine of this site, and ';
  return {
    lines: [
      `The active key is now ${kid}: ${copies}update your copy of the keyring ${keyringFile}.`,
      `${plural(resealed, 'token')} sealed with it.`,
      unreadable > 0 && `No key opens ${plural(unreadable, 'token')}: see tokens list.`,
    ],
  };
};

export const retire: RunCommand = async (context, { words: [key = ''] }) => {
  if (!isKeyName(key))
    throw badInput('A key has a name of 16 digits and letters from a to f', 'see vault status.');
  const { config, openRecords, confirm } = context;
  const { keyringFile } = config;
  const { database } = await openRecords();
  const created = readKeyring(keyringFile)?.keys.at(-1)?.created ?? '';
  const backup = findLastBackup(config);
  if (backup !== null && backup.at < created)
    throw badInput(`The newest backup, ${backup.file}, needs this key`, 'make another one first.');
  await confirm();
  const outcome = await retireKey({ database, keyringFile }, key);
  if (outcome === 'active') throw badInput('This is the active key', 'run vault rotate first.');
  return {
    lines: [
      outcome === 'unknown'
        ? `The key ${key} is not on the keyring: nothing was changed.`
        : `The key ${key} was removed from the keyring.`,
    ],
  };
};
