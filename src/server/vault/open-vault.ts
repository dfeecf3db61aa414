import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively, isPostgres } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { createKeyCheckStore } from './key-check-store.ts';
import { readKeyringFile, writeNewKeyringFile } from './keyring-file.ts';
import {
  createKeyring,
  newRootKey,
  parseKeyring,
  ROOT_BYTES,
  serializeKeyring,
  type Keyring,
} from './keyring.ts';
import { createVault, OPT_OUT_KID, type Vault } from './vault.ts';

export type OpenVaultDeps = {
  readonly system: System;
  readonly database: Database;
  readonly keyringFile: string;
  /** That the database is empty, and perhaps that there is no ring, is known. */
  readonly isNewSite?: boolean;
};

/** A vault whose ring can be read again, because somebody has changed the file. */
export type OpenedVault = Vault & {
  /** Throws a `OperatorError` if the file does not open what is sealed; the ring is then left as it was. */
  readonly reloadKeys: () => Promise<void>;
  /** The names of the keys in the file: also of those that are not used yet. */
  readonly keysInFile: () => readonly string[];
};

/** The vault with the keys of the file; a new file only for a database that knows no key. */
export const openVault = async ({
  system,
  database,
  keyringFile,
  isNewSite = false,
}: OpenVaultDeps): Promise<OpenedVault> => {
  /** Under the write lock: of two processes that would make a ring, the second knows of the first one's. */
  const readKeyring = (): Promise<Keyring> =>
    exclusively(database, async (step) => {
      const keyChecks = createKeyCheckStore(step);
      const [known, needed] = [await keyChecks.all(), await keyChecks.needed()];
      const isEmpty = known.size + needed.size === 0;
      if (isPostgres(step) && isEmpty && !isNewSite) throw notBegun(keyringFile);
      const inFile = readOrCreate(keyringFile, system, !isEmpty);
      const keyring = isPostgres(step) ? onlyKnown(inFile, known) : inFile;
      const checks = createVault(() => keyring, system.random).checks();
      if (!fits(checks, known, needed))
        throw isSameRing(checks, known)
          ? lacksKeys(
              keyringFile,
              [...needed].filter((kid) => !checks.has(kid)),
            )
          : new OperatorError(
              EXIT.keyringChanged,
              `The keyring ${keyringFile} does not belong to this database`,
              'put the right one back.',
            );
      // Never over another, and nothing that is there already: other processes look again after every write.
      for (const [kid, check] of checks) if (!known.has(kid)) await keyChecks.add(kid, check);
      return keyring;
    });

  let ring = await readKeyring();
  return {
    ...createVault(() => ring, system.random),
    reloadKeys: async () => {
      ring = await readKeyring();
    },
    keysInFile: () => (parseKeyring(readKeyringFile(keyringFile) ?? '')?.keys ?? []).map(({ kid }) => kid),
  };
};

/** An empty database in the place of a lost one would show whom the lost one hides. */
const notBegun = (keyringFile: string): OperatorError =>
  new OperatorError(
    EXIT.databaseMissing,
    `The database is empty, but the keyring ${keyringFile} is there`,
    'restore a backup with pg_restore, or start a new site with ops init.',
  );

/**
 * With several machines a key is used from the moment the database knows it: until then it is being copied to all of
 * them, and one that was retired on one machine is out of use on all.
 */
const onlyKnown = (ring: Keyring, known: Checks): Keyring => {
  const [first, ...others] = ring.keys.filter(({ kid }) => known.has(kid));
  return first === undefined ? ring : createKeyring([first, ...others], ring.optOutKey);
};

type Checks = ReadonlyMap<string, string>;

/** A key that nothing depends on may be off the ring: a command that retired it may have died before it forgot it. */
const fits = (ring: Checks, known: Checks, needed: ReadonlySet<string>): boolean =>
  [...known].every(([kid, check]) => (ring.has(kid) ? ring.get(kid) === check : !needed.has(kid))) &&
  // With no check left to go by, at least the names must be right.
  (known.size > 0 || [...needed].every((kid) => ring.has(kid)));

/** It has the key for the opt-outs, which no rotation changes. */
const isSameRing = (ring: Checks, known: Checks): boolean =>
  known.has(OPT_OUT_KID) && [...known].every(([kid, check]) => !ring.has(kid) || ring.get(kid) === check);

/** As with a backup from before `vault retire`, or with a copy of the ring from before `vault rotate`. */
const lacksKeys = (keyringFile: string, kids: readonly string[]): OperatorError =>
  new OperatorError(
    EXIT.keyringChanged,
    `Tokens are sealed with ${kids.join(', ')}, which is not on the keyring ${keyringFile}: it was retired, or the keyring is an older copy`,
    'put back a copy of the keyring that has this key.',
  );

const readOrCreate = (path: string, system: System, isNeeded: boolean): Keyring => {
  const text = readKeyringFile(path);
  if (text === null && isNeeded) {
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${path} is missing, but the database was written with one`,
      'put it back, or set KEYRING_FILE to where it is.',
    );
  }
  const keyring = text === null ? createKeyringFile(path, system) : parseKeyring(text);
  if (keyring !== null) return keyring;
  throw new OperatorError(
    EXIT.keyringUnreadable,
    `The keyring ${path} is damaged`,
    isNeeded ? 'put back a copy of it.' : 'nothing depends on it yet, so delete it to get a new one.',
  );
};

const createKeyringFile = (path: string, system: System): Keyring => {
  const keyring = createKeyring([newRootKey(system)], system.random.bytes(ROOT_BYTES));
  writeNewKeyringFile(path, serializeKeyring(keyring));
  return keyring;
};
