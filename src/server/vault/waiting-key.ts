import { EXIT, OperatorError } from '#server/operator-error.ts';
import { readKeyringFile } from './keyring-file.ts';
import { parseKeyring, type Keyring, type RootKey } from './keyring.ts';

/** For whoever has opened the vault with it a moment ago. */
export const readRing = (keyringFile: string): Keyring => {
  const ring = parseKeyring(readKeyringFile(keyringFile) ?? '');
  if (ring === null) throw new TypeError('The keyring was whole a moment ago.');
  return ring;
};

/** A key in the file that is newer than the active one: it waits until every machine has it. */
export const findWaitingKey = ({ keys }: Keyring, activeKid: string): RootKey | undefined =>
  keys.slice(keys.findIndex(({ kid }) => kid === activeKid) + 1).at(-1);

export const nothingWaiting = (): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    'There is no new key on the keyring',
    'run ops vault add-key, copy the keyring to every machine, then run this again.',
  );

export const notEverywhere = (kid: string, servers: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.badInput,
    `The key ${kid} is not on the keyring of ${servers.join(', ')} yet`,
    'copy the keyring there; a running server notices it within seconds.',
  );
