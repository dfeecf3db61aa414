import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { exclusively, isPostgres } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { createDonatedTokenStore, type DonatedTokenStore } from './donated-token-store.ts';
import { newRootKey, readKeyring, replaceKeyringFile, type Keyring } from './keyring.ts';
import { createKeyCheckStore, type OpenedVault } from './open-vault.ts';
import { openRow, sealRow } from './sealed-row.ts';
import { keyChecks } from './vault.ts';

export type KeyRotationDeps = {
  readonly system: System;
  readonly database: Database;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: OpenedVault;
  readonly keyringFile: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (done: number, total: number) => void;
  readonly serversWithout: (kid: string) => Promise<readonly string[]>;
};

type RetirementOutcome = 'retired' | 'unknown' | 'active' | 'in-use';

/** Rotation of the vault's keys while a server may be running. Killed at any moment, it can be started again. */
export type KeyRotation = ReturnType<typeof createKeyRotation>;

/** By then a running server has read the new ring: it looks for changes twice a second. */
const SERVER_NOTICES_MS = 2_000;
/** Small enough that a donation hardly waits for the lock. */
const BATCH = 50;

export const createKeyRotation = (deps: KeyRotationDeps) => {
  const { system, database, donatedTokens, vault, keyringFile, pause, onProgress, serversWithout } = deps;

  const readRing = (): Keyring => {
    const ring = readKeyring(keyringFile);
    if (ring === null) throw new TypeError('The keyring was whole a moment ago.');
    return ring;
  };
  /** Also saves the digests of new keys, which tells a running server to look. */
  const announce = vault.reloadKeys;

  const newest = (): string => vault.keys().at(-1)?.kid ?? '';
  /** A key in the file that is newer than the active one: it waits until every machine has it. */
  const waitingKey = (): string | undefined => {
    const kids = vault.keysInFile();
    return kids.slice(kids.indexOf(newest()) + 1).at(-1);
  };
  const resealAll = async () => {
    const total = await countOutdated(deps);
    let [resealed, unreadable] = [0, 0];
    for await (const rows of outdatedRows(deps)) {
      const changes = rows.flatMap((from) => {
        const token = openRow(vault, from);
        return token === null ? [] : [{ from, to: sealRow(vault, from, token) }];
      });
      resealed += await donatedTokens.reseal(changes);
      unreadable += rows.length - changes.length;
      onProgress(resealed, total);
    }
    return { resealed, unreadable };
  };

  /** Under the write lock: if another command has added a key meanwhile, that one is the new key. */
  const addKey = (): Promise<void> =>
    exclusively(database, async () => {
      const ring = readRing();
      if (ring.active.kid === newest())
        replaceKeyringFile(keyringFile, { ...ring, keys: [...ring.keys, newRootKey(system)] });
    });
  const activateWaiting = async (): Promise<void> => {
    const kid = waitingKey();
    if (kid === undefined)
      throw new OperatorError(
        EXIT.badInput,
        'There is no new key on the keyring',
        'run ops vault rotate --prepare, copy the keyring to every machine, then run this again.',
      );
    const servers = await serversWithout(kid);
    if (servers.length > 0)
      throw new OperatorError(
        EXIT.badInput,
        `The key ${kid} is not on the keyring of ${servers.join(', ')} yet`,
        'copy the keyring there; a running server notices it within seconds.',
      );
    const check = keyChecks(readRing()).get(kid) ?? '';
    await exclusively(database, (step) => createKeyCheckStore(step).add(kid, check));
  };

  return {
    addWaiting: async (): Promise<string> => {
      if (waitingKey() === undefined) await addKey();
      return waitingKey() ?? '';
    },

    rotate: async () => {
      await announce();
      const unfinished = (await countOutdated(deps)) > 0;
      if (!unfinished) {
        await (isPostgres(database) ? activateWaiting() : addKey());
        await announce();
      }
      // First the server must know the new key, or it would not find what is sealed with it.
      await pause(SERVER_NOTICES_MS);
      const first = await resealAll();
      await pause(SERVER_NOTICES_MS);
      // What was on its way into the database under the old key while the server changed over.
      const second = await resealAll();
      return {
        kid: newest(),
        resumed: unfinished,
        resealed: first.resealed + second.resealed,
        unreadable: second.unreadable,
      };
    },

    retire: async (kid: string, { dryRun = false } = {}): Promise<RetirementOutcome> => {
      if (!dryRun) {
        await announce();
        // A server that has only just been told of a new key may still be storing under the old one.
        await pause(SERVER_NOTICES_MS);
      }
      const outcome = await exclusively(database, async (step): Promise<RetirementOutcome> => {
        const ring = readRing();
        if (!ring.keys.some((key) => key.kid === kid)) return 'unknown';
        if (kid === newest()) return 'active';
        if ((await createDonatedTokenStore(step).countByKey()).has(kid)) return 'in-use';
        if (dryRun) return 'retired';
        await createKeyCheckStore(step).forget(kid);
        replaceKeyringFile(keyringFile, { ...ring, keys: ring.keys.filter((key) => key.kid !== kid) });
        return 'retired';
      });
      if (!dryRun) await announce();
      return outcome;
    },
  };
};

type SealedRows = Pick<KeyRotationDeps, 'donatedTokens' | 'vault'>;

export const countOutdated = async (sealed: SealedRows): Promise<number> => {
  let count = 0;
  for await (const rows of outdatedRows(sealed))
    count += rows.filter((row) => openRow(sealed.vault, row) !== null).length;
  return count;
};

async function* outdatedRows({ donatedTokens, vault }: SealedRows): AsyncGenerator<DonatedTokenRow[]> {
  const newest = vault.keys().at(-1)?.kid ?? '';
  let after: string | undefined = '';
  while (after !== undefined) {
    const rows = await donatedTokens.underOtherKeys(newest, after, BATCH);
    yield rows;
    after = rows.at(-1)?.id;
  }
}
