import { OperatorError } from '#server/operator-error.ts';
import { readLastBackup, writeLastBackup } from '#server/storage/last-backup.ts';
import { withVerifiedCopy } from '../backups/verify-backup.ts';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { createKeyRotation, type KeyRotation } from '#server/vault/key-rotation.ts';
import { isKeyName } from '#server/vault/keyring.ts';
import { isDryRun, type RunCommand, type CommandContext } from '../command.ts';
import { badInput } from '../refusals.ts';
import { plural, table } from '../output.ts';

export const vaultStatus: RunCommand = async (context) => {
  const { vault, donatedTokens } = await context.openRecords();
  const counts = await donatedTokens.countByKey();
  const active = vault.keys().at(-1)?.kid;
  const keys = vault.keys().map(({ kid, created }) => ({
    key: kid,
    created_day: created.slice(0, 10),
    token_count: counts.get(kid) ?? 0,
    active: kid === active,
  }));
  return {
    data: { keyring_file: context.config.keyringFile, keys },
    lines: [
      ...table(['KEY', 'CREATED', 'TOKENS', 'ACTIVE'], keys),
      `The keyring is ${context.config.keyringFile}: keep a copy of it, but not with your backups.`,
    ],
  };
};

const rotationOf = async (context: CommandContext): Promise<KeyRotation> => {
  const records = await context.openRecords();
  return createKeyRotation({
    ...records,
    system: context.system,
    keyringFile: context.config.keyringFile,
    pause: context.pause,
    onProgress: (done, total) => context.terminal.progress(`Sealed ${done} of ${total}…`),
    serversWithout: async (kid) =>
      (await createNodeStore(records.database).live())
        .filter(({ kids }) => !kids.split(' ').includes(kid))
        .map(({ name }) => name),
  });
};

const prepareKey: RunCommand = async (context) => {
  const { databaseUrl, keyringFile } = context.config;
  if (databaseUrl === null)
    throw badInput('Without DATABASE_URL one step is enough', 'run vault rotate without --prepare.');
  const key = await (await rotationOf(context)).addWaiting();
  return {
    data: { key, keyring_file: keyringFile },
    lines: [
      `The key ${key} waits on the keyring ${keyringFile}: copy the file to every machine, then run vault rotate.`,
    ],
  };
};

export const rotateKeys: RunCommand = async (context, input) => {
  if (input.flags['prepare'] === true) return prepareKey(context, input);
  context.terminal.progress('Telling the server about the key…');
  const report = await (await rotationOf(context)).rotate();
  return {
    data: {
      key: report.kid,
      resumed: report.resumed,
      resealed_token_count: report.resealed,
      unreadable_token_count: report.unreadable,
    },
    lines: [
      report.resumed
        ? `Finished an earlier rotation: no key was added. The active key is ${report.kid}.`
        : `The active key is now ${report.kid}: update your copy of the keyring ${context.config.keyringFile}.`,
      `${plural(report.resealed, 'token')} sealed with it.`,
      report.unreadable > 0 && `No key opens ${plural(report.unreadable, 'token')}: see tokens list.`,
    ],
  };
};

const REFUSALS: Readonly<Record<'active' | 'in-use', readonly [finding: string, remedy: string]>> = {
  active: ['This is the active key', 'run vault rotate first.'],
  'in-use': ['Tokens are still sealed with this key', 'run vault rotate first.'],
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

export const retireKey: RunCommand = async (context, input) => {
  const [key = ''] = input.words;
  if (!isKeyName(key))
    throw badInput('A key has a name of 16 digits and letters from a to f', 'see vault status.');
  const rotation = await rotationOf(context);
  const retire = async (options: { readonly dryRun: boolean }): Promise<boolean> => {
    const outcome = await rotation.retire(key, options);
    if (outcome === 'active' || outcome === 'in-use') throw badInput(...REFUSALS[outcome]);
    return outcome === 'retired';
  };
  if (!(await retire({ dryRun: true })))
    return {
      data: { key, removed: false },
      lines: [`The key ${key} is not on the keyring: nothing was changed.`],
    };
  await context.confirm();
  context.terminal.progress('Waiting for the server to load the active key…');
  if (!isDryRun(input)) {
    await retire({ dryRun: false });
    await noteUnusableBackup(context);
  }
  return {
    data: { key, removed: true },
    lines: [`The key ${key} ${isDryRun(input) ? 'would be' : 'was'} removed from the keyring.`],
  };
};
