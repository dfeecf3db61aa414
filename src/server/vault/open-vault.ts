import { readKeyringFile, writeNewKeyringFile } from './keyring-file.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { System } from '#server/system.ts';
import type { KeyCheckStore } from './key-check-store.ts';
import {
  createKeyring,
  newRootKey,
  parseKeyring,
  ROOT_BYTES,
  serializeKeyring,
  type Keyring,
} from './keyring.ts';
import { createVault, type Vault } from './vault.ts';

export type OpenVaultDeps = {
  readonly system: System;
  readonly keyChecks: KeyCheckStore;
  readonly keyringFile: string;
};

/** A vault whose ring can be read again, because somebody has changed the file. */
export type OpenedVault = Vault & {
  /** Throws a `OperatorError` if the file does not open what is sealed; the ring is then left as it was. */
  readonly reloadKeys: () => Promise<void>;
};

/** The vault with the keys of the file; a new file only if nothing depends on the old one. */
export const openVault = async ({ system, keyChecks, keyringFile }: OpenVaultDeps): Promise<OpenedVault> => {
  const readKeyring = async (): Promise<Keyring> => {
    const needed = await keyChecks.needed();
    const keyring = readOrCreate(keyringFile, system, needed.size > 0);
    const checks = createVault(() => keyring, system.random).checks();
    if ([...needed].some(([kid, check]) => checks.get(kid) !== check))
      throw new OperatorError(
        EXIT.keyringChanged,
        `The keyring ${keyringFile} is not the one that the database was written with`,
        'put the right one back.',
      );
    await keyChecks.save(checks);
    return keyring;
  };

  let ring = await readKeyring();
  return {
    ...createVault(() => ring, system.random),
    reloadKeys: async () => {
      ring = await readKeyring();
    },
  };
};

const readOrCreate = (path: string, system: System, isNeeded: boolean): Keyring => {
  const text = readKeyringFile(path);
  if (text === null && isNeeded) {
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${path} is missing, but the database needs it`,
      'put it back, or set KEYRING_FILE.',
    );
  }
  const keyring = text === null ? createKeyringFile(path, system) : parseKeyring(text);
  if (keyring !== null) return keyring;
  throw new OperatorError(
    EXIT.keyringUnreadable,
    `The keyring ${path} is damaged`,
    isNeeded ? 'put back a copy of it.' : 'nothing depends on it yet, so delete it for a new one.',
  );
};

const createKeyringFile = (path: string, system: System): Keyring => {
  const keyring = createKeyring([newRootKey(system)], system.random.bytes(ROOT_BYTES));
  writeNewKeyringFile(path, serializeKeyring(keyring));
  return keyring;
};
