import { existsSync } from 'node:fs';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { createKeyRotation, type KeyRotation, type RetirementOutcome } from '#server/vault/key-rotation.ts';
import { badInput, isDryRun, type RunCommand, type CommandContext } from '../command.ts';
import { plural, table } from '../output.ts';

export const vaultStatus: RunCommand = async (context) => {
  const { vault, donatedTokens } = await context.openRecords();
  const counts = await donatedTokens.countByKey();
  const active = vault.keys().at(-1)?.kid;
  const keys = vault.keys().map(({ kid, created }) => ({
    kid,
    created: created.slice(0, 10),
    tokens: counts.get(kid) ?? 0,
    active: kid === active,
  }));
  return {
    data: { keyring_file: context.config.keyringFile, keys },
    lines: [
      ...table(
        ['KEY', 'CREATED', 'TOKENS', 'STATE'],
        keys.map(({ kid, created, tokens, active }) => [kid, created, tokens, active ? 'active' : 'old']),
      ),
      `The keyring is ${context.config.keyringFile}: keep a copy of it, but not with your backups.`,
    ],
  };
};

/** With PostgreSQL no server creates one by itself: two that start at once would each have their own. */
export const initVault: RunCommand = async (context) => {
  const { keyringFile } = context.config;
  const created = !existsSync(keyringFile);
  const { vault } = await context.openRecords({ isNewSite: created });
  return {
    data: { created, keyring_file: keyringFile, key: vault.keys().at(-1)?.kid },
    lines: [
      !created && 'This site has a keyring already: nothing was changed.',
      `The keyring is ${keyringFile}: copy it to every machine of this site, readable by the server's user only, and keep a copy somewhere else.`,
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

export const addKey: RunCommand = async (context) => {
  const { databaseUrl, keyringFile } = context.config;
  if (databaseUrl === null) throw badInput('Without DATABASE_URL one step is enough', 'run vault rotate.');
  const kid = await (await rotationOf(context)).addWaiting();
  return {
    data: { kid, keyring_file: keyringFile },
    lines: [
      `The key ${kid} waits on the keyring ${keyringFile}: copy the file to every machine, then run vault rotate.`,
    ],
  };
};

export const rotateKeys: RunCommand = async (context) => {
  context.terminal.progress('Telling the server about the key…');
  const report = await (await rotationOf(context)).rotate();
  return {
    data: report,
    lines: [
      report.resumed
        ? `Finished an earlier rotation: no key was added. The active key is ${report.kid}.`
        : `The active key is now ${report.kid}: update your copy of the keyring ${context.config.keyringFile}.`,
      `${plural(report.resealed, 'token')} sealed with it.`,
      report.unreadable > 0 && `No key opens ${plural(report.unreadable, 'token')}: see tokens list.`,
    ],
  };
};

const REFUSALS: Readonly<
  Record<Exclude<RetirementOutcome, 'retired'>, readonly [finding: string, remedy: string]>
> = {
  unknown: ['The keyring has no key by this name', 'see vault status.'],
  active: ['This is the active key', 'run vault rotate first.'],
  'in-use': ['Tokens are still sealed with this key', 'run vault rotate first.'],
};

export const retireKey: RunCommand = async (context, input) => {
  const [kid = ''] = input.words;
  const dryRun = isDryRun(input);
  context.terminal.progress('Waiting for the server to load the active key…');
  const outcome = await (await rotationOf(context)).retire(kid, { dryRun });
  if (outcome !== 'retired') throw badInput(...REFUSALS[outcome]);
  return {
    data: { retired: kid },
    lines: [`The key ${kid} ${dryRun ? 'would be' : 'was'} removed from the keyring.`],
  };
};
