import type { Database } from '#server/storage/database.ts';
import { exclusively, isPostgres } from '#server/storage/sql-dialect.ts';
import { replaceKeyringFile } from './keyring-file.ts';
import type { System } from '#server/system.ts';
import { createDonatedTokenStore, type DonatedTokenStore } from './donated-token-store.ts';
import { createKeyCheckStore } from './key-check-store.ts';
import { createKeyring, newRootKey, serializeKeyring, type Keyring } from './keyring.ts';
import type { OpenedVault } from './open-vault.ts';
import { createVault } from './vault.ts';
import { findWaitingKey, nothingWaiting, notEverywhere, readRing } from './waiting-key.ts';
import { countOutdated, resealAll, type ResealReport } from './reseal.ts';

export type KeyRotationDeps = {
  readonly system: System;
  readonly database: Database;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: OpenedVault;
  readonly keyringFile: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (done: number, total: number) => void;
  /** The names of the servers that run without a key in their keyring file. */
  readonly serversWithout: (kid: string) => Promise<readonly string[]>;
};

export type RotationReport = ResealReport & { readonly kid: string; readonly resumed: boolean };

/** What became of a wish to take a key off the ring. */
export type RetirementOutcome = 'retired' | 'unknown' | 'active' | 'in-use';

/** Rotation of the vault's keys while a server may be running. Killed at any moment, it can be started again. */
export type KeyRotation = ReturnType<typeof createKeyRotation>;

/** A running server has taken over the new ring by then: it looks for changes twice a second. */
const SERVER_NOTICES_MS = 2_000;

export const createKeyRotation = (deps: KeyRotationDeps) => {
  const { system, database, donatedTokens, vault, keyringFile, pause, onProgress, serversWithout } = deps;

  /** Under the database's write lock: of two commands the second sees what the first has done to the ring. */
  const changeRing = <T>(change: RingChange<T>): Promise<T> =>
    exclusively(database, async (step) => {
      const ring = readRing(keyringFile);
      const [result, keys] = await change(ring, step);
      const [first, ...others] = keys ?? [];
      if (first !== undefined)
        replaceKeyringFile(keyringFile, serializeKeyring(createKeyring([first, ...others], ring.optOutKey)));
      return result;
    });
  /** Saves the digests of new keys too, and by that tells a running server to look. */
  const announce = vault.reloadKeys;

  const newest = (): string => vault.keys().at(-1)?.kid ?? '';
  const pass = (): Promise<ResealReport> => resealAll({ donatedTokens, vault }, onProgress);

  /** Another command may have added one since `before` was the newest: then that one is the new key. */
  const addKey = (before: string): Promise<void> =>
    changeRing(async ({ keys, activeKid }) => [
      undefined,
      activeKid === before ? [...keys, newRootKey(system)] : null,
    ]);
  /** The database knowing it is what makes a key the active one on every machine. */
  const activateWaiting = async (): Promise<void> => {
    const waiting = findWaitingKey(readRing(keyringFile), newest());
    if (waiting === undefined) throw nothingWaiting();
    const servers = await serversWithout(waiting.kid);
    if (servers.length > 0) throw notEverywhere(waiting.kid, servers);
    const check =
      createVault(() => readRing(keyringFile), system.random)
        .checks()
        .get(waiting.kid) ?? '';
    await exclusively(database, (step) => createKeyCheckStore(step).add(waiting.kid, check));
  };

  return {
    /** Puts a key into the file that is not used yet, for all machines to have it first. Resolves with its name. */
    addWaiting: async (): Promise<string> => {
      if (findWaitingKey(readRing(keyringFile), newest()) === undefined) await addKey(newest());
      return findWaitingKey(readRing(keyringFile), newest())?.kid ?? '';
    },

    rotate: async (): Promise<RotationReport> => {
      await announce();
      const unfinished = (await countOutdated({ donatedTokens, vault })) > 0;
      if (!unfinished) {
        await (isPostgres(database) ? activateWaiting() : addKey(newest()));
        await announce();
      }
      // First the server must know the new key, or it would not find what is sealed with it.
      await pause(SERVER_NOTICES_MS);
      const first = await pass();
      await pause(SERVER_NOTICES_MS);
      // What was on its way into the database under the old key while the server changed over.
      const second = await pass();
      return {
        kid: newest(),
        resumed: unfinished,
        resealed: first.resealed + second.resealed,
        unreadable: second.unreadable,
      };
    },

    /** A dry run only tells what would come of it. */
    retire: async (kid: string, { dryRun = false } = {}): Promise<RetirementOutcome> => {
      if (!dryRun) await announce();
      // A server that has only just been told of a new key may still be storing under the old one.
      if (!dryRun) await pause(SERVER_NOTICES_MS);
      const outcome = await changeRing<RetirementOutcome>(async ({ keys }, step) => {
        if (!keys.some((key) => key.kid === kid)) return ['unknown', null];
        if (kid === newest()) return ['active', null];
        if ((await createDonatedTokenStore(step).countByKey()).has(kid)) return ['in-use', null];
        if (dryRun) return ['retired', null];
        await createKeyCheckStore(step).forget(kid);
        return ['retired', keys.filter((key) => key.kid !== kid)];
      });
      if (!dryRun) await announce();
      return outcome;
    },
  };
};

/** What came of it, and the new keys unless they stay. */
type RingChange<T> = (ring: Keyring, step: Database) => Promise<readonly [T, Keyring['keys'] | null]>;
