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

const rotationOf = async (context: CommandContext): Promise<KeyRotation> =>
  createKeyRotation({
    ...(await context.openRecords()),
    system: context.system,
    keyringFile: context.config.keyringFile,
    pause: context.pause,
    onProgress: (done, total) => context.terminal.progress(`Sealed ${done} of ${total}…`),
  });

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
