import { readKeyringFile, writeNewKeyringFile } from '#server/storage/keyring-file.ts';
import { EXIT, StartError } from '#server/start-error.ts';
import type { System } from '#server/system.ts';
import type { DonatedTokenStore } from './donated-token-store.ts';
import { createKeyring, parseKeyring, ROOT_BYTES, serializeKeyring, type Keyring } from './keyring.ts';
import { createVault, type Vault } from './vault.ts';

export type OpenVaultDeps = {
  readonly system: System;
  readonly store: DonatedTokenStore;
  readonly keyringFile: string;
};

const CHECK_TEXT = 'whoflake';

/** The vault with the keys of the file; a new file only if nothing is sealed yet. */
export const openVault = async ({ system, store, keyringFile }: OpenVaultDeps): Promise<Vault> => {
  const checks = await store.keyChecks();
  const text = readKeyringFile(keyringFile);
  if (text === null && checks.size > 0) {
    throw new StartError(
      `The keyring ${keyringFile} is missing, but tokens are sealed with it: put it back, or set KEYRING_FILE.`,
      EXIT.keyringMissing,
    );
  }
  const keyring = text === null ? createKeyringFile(keyringFile, system) : parseKeyring(text);
  if (keyring === null) {
    throw new StartError(
      checks.size > 0
        ? `The keyring ${keyringFile} is damaged: put back a copy of it.`
        : `The keyring ${keyringFile} is damaged: no token is sealed with it, so delete it for a new one.`,
      EXIT.keyringUnreadable,
    );
  }
  const vault = createVault(keyring, system.random);
  for (const [kid, check] of checks) {
    if (keyring.derive(kid, 'check') === null || vault.digest('check', CHECK_TEXT, kid) !== check) {
      throw new StartError(
        `The keyring ${keyringFile} is not the one that tokens are sealed with: put the right one back.`,
        EXIT.keyringChanged,
      );
    }
  }
  await store.saveKeyCheck(keyring.activeKid, vault.digest('check', CHECK_TEXT));
  return vault;
};

const createKeyringFile = (path: string, { clock, random }: System): Keyring => {
  const keyring = createKeyring([
    {
      kid: random.bytes(8).toString('hex'),
      root: random.bytes(ROOT_BYTES),
      created: new Date(clock.wallMs()).toISOString(),
    },
  ]);
  writeNewKeyringFile(path, serializeKeyring(keyring));
  return keyring;
};
