import type { Database } from '#server/storage/database.ts';
import { exclusively } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { createDonatedTokenStore, openRow, sealRow } from './donated-tokens.ts';
import { newRootKey, readKeyring, replaceKeyringFile, type Keyring } from './keyring.ts';
import { createVaultKeyStore } from './open-vault.ts';
import { createVault, keyChecks, type Vault } from './vault.ts';

export type KeyRotationDeps = {
  readonly system: System;
  readonly database: Database;
  readonly vault: Vault;
  readonly keyringFile: string;
  /** Asked first and last: a server that began meanwhile has the old key. */
  readonly refuseRunning: (step: Database) => Promise<void>;
  readonly onProgress: (done: number, total: number) => void;
};

const ringIn = (keyringFile: string): Keyring => {
  const ring = readKeyring(keyringFile);
  if (ring === null) throw new TypeError('The keyring was whole a moment ago.');
  return ring;
};

/** First the file has both keys, then the database changes in one transaction: killed at any moment, nothing is lost. */
export const rotateKey = (deps: KeyRotationDeps) =>
  exclusively(deps.database, async (step) => {
    const { system, vault, keyringFile, refuseRunning, onProgress } = deps;
    await refuseRunning(step);
    const keyStore = createVaultKeyStore(step);
    await keyStore.refuseOther(vault.kid);
    const { keys, optOutKey } = ringIn(keyringFile);
    const active = newRootKey(system);
    replaceKeyringFile(keyringFile, { keys: [...keys, active], optOutKey });

    const next = createVault({ active, optOutKey }, system.random);
    const store = createDonatedTokenStore(step);
    const ids = (await store.outlines()).map(({ id }) => id);
    let [resealed, unreadable] = [0, 0];
    for await (const row of store.withIds(ids)) {
      const token = openRow(vault, row);
      if (token === null) unreadable += 1;
      else {
        await store.reseal(sealRow(next, row, token));
        resealed += 1;
      }
      onProgress(resealed + unreadable, ids.length);
    }
    await keyStore.forget(vault.kid);
    await keyStore.add(active.kid, keyChecks({ active, optOutKey }).get(active.kid) ?? '');
    await refuseRunning(step);
    return { kid: active.kid, resealed, unreadable };
  });

/** A running server does not read the file. Under the lock, because a rotation writes it too. */
export const retireKey = (
  { database, keyringFile }: Pick<KeyRotationDeps, 'database' | 'keyringFile'>,
  kid: string,
): Promise<'retired' | 'unknown' | 'active'> =>
  exclusively(database, async (step) => {
    const ring = ringIn(keyringFile);
    const keys = ring.keys.filter((key) => key.kid !== kid);
    if (keys.length === ring.keys.length) return 'unknown';
    if ((await createVaultKeyStore(step).all()).has(kid)) return 'active';
    replaceKeyringFile(keyringFile, { ...ring, keys });
    return 'retired';
  });
