import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { readLastBackup, writeLastBackup } from '#server/storage/last-backup.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';
import { lockOutServers } from '../backups/set-aside.ts';
import { withVerifiedCopy } from '../backups/verify-backup.ts';
import { createNodeStore } from '#server/state/node-store.ts';
import { retireKey, rotateKey } from '#server/vault/key-rotation.ts';
import { isKeyName, readKeyring } from '#server/vault/keyring.ts';
import { isDryRun, type RunCommand, type CommandContext } from '../command.ts';
import { badInput } from '../refusals.ts';
import { plural, table } from '../output.ts';

export const vaultStatus: RunCommand = async (context) => {
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
    data: { keyring_file: keyringFile, keys },
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

export const rotateKeys: RunCommand = async (context) => {
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
    data: { key: kid, resealed_token_count: resealed, unreadable_token_count: unreadable },
    lines: [
      `The active key is now ${kid}: ${copies}update your copy of the keyring ${keyringFile}.`,
      `${plural(resealed, 'token')} sealed with it.`,
      unreadable > 0 && `No key opens ${plural(unreadable, 'token')}: see tokens list.`,
    ],
  };
};

const noteUnusableBackup = async (context: CommandContext): Promise<void> => {
  const { dataDir, databaseUrl } = context.config;
  const last = databaseUrl === null ? readLastBackup(dataDir) : null;
  if (last === null) return;
  const opens = await withVerifiedCopy(
    context,
    last.file,
    (_copy, { unreadable_token_count: unreadable }) => unreadable === 0,
  ).catch((error: unknown) => {
    if (error instanceof OperatorError) return false;
    throw error;
  });
  if (!opens) writeLastBackup(dataDir, { ...last, isUnusable: true });
};

export const retireOldKey: RunCommand = async (context, input) => {
  const [key = ''] = input.words;
  if (!isKeyName(key))
    throw badInput('A key has a name of 16 digits and letters from a to f', 'see vault status.');
  const { keyringFile } = context.config;
  const { database } = await context.openRecords();
  const retire = (dryRun: boolean) => retireKey({ database, keyringFile }, key, { dryRun });
  const outcome = await retire(true);
  if (outcome === 'active') throw badInput('This is the active key', 'run vault rotate first.');
  if (outcome === 'unknown')
    return {
      data: { key, removed: false },
      lines: [`The key ${key} is not on the keyring: nothing was changed.`],
    };
  await context.confirm();
  if (!isDryRun(input)) {
    await retire(false);
    await noteUnusableBackup(context);
  }
  return {
    data: { key, removed: true },
    lines: [`The key ${key} ${isDryRun(input) ? 'would be' : 'was'} removed from the keyring.`],
  };
};
