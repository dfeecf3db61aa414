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
      `The keyring is ${context.config.keyringFile}: keep a copy of it away from the database's.`,
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
  context.terminal.progress('Letting the server know of the key…');
  const report = await (await rotationOf(context)).rotate();
  return {
    data: report,
    lines: [
      report.resumed
        ? `An earlier rotation was not finished: no key was added. The active key is ${report.kid}.`
        : `The active key is now ${report.kid}: copy the keyring ${context.config.keyringFile} to where you keep it.`,
      `${plural(report.resealed, 'token')} sealed under it.`,
      report.unreadable > 0 &&
        `${plural(report.unreadable, 'token')} that no key opens: tokens list names them.`,
    ],
  };
};

const REFUSALS: Readonly<
  Record<Exclude<RetirementOutcome, 'retired'>, readonly [finding: string, remedy: string]>
> = {
  unknown: ['No key by this name is on the ring', 'vault status shows them.'],
  active: ['This is the active key', 'run vault rotate first.'],
  'in-use': ['Tokens are still sealed under this key', 'run vault rotate first.'],
};

export const retireKey: RunCommand = async (context, input) => {
  const [kid = ''] = input.words;
  const dryRun = isDryRun(input);
  context.terminal.progress('Waiting for the server to know of the active key…');
  const outcome = await (await rotationOf(context)).retire(kid, { dryRun });
  if (outcome !== 'retired') throw badInput(...REFUSALS[outcome]);
  return {
    data: { retired: kid },
    lines: [`The key ${kid} ${dryRun ? 'would be taken off' : 'is off'} the ring.`],
  };
};
