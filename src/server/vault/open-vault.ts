import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively, isPostgres } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import {
  createKeyring,
  newRootKey,
  parseKeyring,
  readKeyring,
  readKeyringFile,
  ROOT_BYTES,
  writeNewKeyringFile,
  type Keyring,
} from './keyring.ts';
import { createVault, keyChecks, OPT_OUT_KID, type KeyChecks } from './vault.ts';

type OpenVaultDeps = {
  readonly system: System;
  readonly database: Database;
  readonly keyringFile: string;
  /** The caller knows that the database is empty, and that there may be no ring. */
  readonly isNewSite?: boolean;
  readonly create?: boolean;
};

export type OpenedVault = Awaited<ReturnType<typeof openVault>>;

export const createKeyCheckStore = (db: Database) => ({
  all: async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.selectFrom('vault_key').selectAll().execute();
    return new Map(rows.map(({ kid, check_digest }) => [kid, check_digest]));
  },
  needed: async (): Promise<ReadonlySet<string>> => {
    const sealed = await db.selectFrom('donated_token').select('kid').distinct().execute();
    const optOut = await db.selectFrom('opt_out').select('digest').limit(1).executeTakeFirst();
    return new Set([...sealed.map(({ kid }) => kid), ...(optOut === undefined ? [] : [OPT_OUT_KID])]);
  },
  /** Throws if the key is known: its check is never written over. */
  add: (kid: string, check_digest: string) =>
    db.insertInto('vault_key').values({ kid, check_digest }).execute(),
  forget: (kid: string) => db.deleteFrom('vault_key').where('kid', '=', kid).execute(),
});

export const openVault = async (deps: OpenVaultDeps) => {
  let ring = await readRing(deps);
  let problem: string | null = null;
  return {
    ...createVault(() => ring, deps.system.random),
    reloadKeys: async (): Promise<void> => {
      try {
        ring = await readRing(deps);
        problem = null;
      } catch (error) {
        if (error instanceof OperatorError && error.exitCode === EXIT.keyringChanged) problem = error.message;
        throw error;
      }
    },
    keyringProblem: (): string | null => problem,
    keysInFile: (): readonly string[] => (readKeyring(deps.keyringFile)?.keys ?? []).map(({ kid }) => kid),
  };
};

const readRing = async (deps: OpenVaultDeps): Promise<Keyring> => {
  const read = await examineRing(deps, deps.database);
  // Without the write lock: a command may hold it, and all that is read and written would wait behind this.
  if (read?.unknown.length === 0) return read.ring;
  return exclusively(deps.database, async (step) => {
    // Examined again under the lock: another process may have made a ring meanwhile.
    const { ring, unknown } = (await examineRing(deps, step)) ?? createRing(deps);
    const keyCheckStore = createKeyCheckStore(step);
    for (const [kid, check] of unknown) await keyCheckStore.add(kid, check);
    return ring;
  });
};

type ExaminedRing = ReturnType<typeof createRing>;

const examineRing = async (deps: OpenVaultDeps, db: Database): Promise<ExaminedRing | null> => {
  const { keyringFile, isNewSite = false } = deps;
  const keyCheckStore = createKeyCheckStore(db);
  const [known, needed] = [await keyCheckStore.all(), await keyCheckStore.needed()];
  const isEmpty = known.size + needed.size === 0;
  // An empty database instead of a lost one would show the profiles of people who opted out.
  if (isPostgres(db) && isEmpty && !isNewSite)
    throw new OperatorError(
      EXIT.databaseMissing,
      `The database is empty, but the keyring ${keyringFile} is there`,
      'restore a backup with ops restore, or start a new site with ops init.',
    );

  // The file last: it gains a key before the database does.
  const text = readKeyringFile(keyringFile);
  if (text === null && isEmpty) return null;
  if (text === null)
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${keyringFile} is missing, but the database was written with one`,
      'put it back, or set KEYRING_FILE to where it is.',
    );
  const inFile = parseKeyring(text);
  if (inFile === null)
    throw new OperatorError(
      EXIT.keyringUnreadable,
      `The keyring ${keyringFile} is damaged`,
      isEmpty ? 'nothing depends on it yet, so delete it to get a new one.' : 'put back a copy of it.',
    );

  const ring = isPostgres(db) ? onlyKnown(inFile, known) : inFile;
  const checks = keyChecks(ring);
  refuseOtherRing(keyringFile, checks, { known, needed });
  return { ring, unknown: [...checks].filter(([kid]) => !known.has(kid)) };
};

const createRing = ({ system, keyringFile, create = true }: OpenVaultDeps) => {
  if (!create)
    throw new OperatorError(
      EXIT.keyringMissing,
      `There is no keyring ${keyringFile}`,
      'check KEYRING_FILE, or start the server once, which makes one.',
    );
  const ring = createKeyring([newRootKey(system)], system.random.bytes(ROOT_BYTES));
  writeNewKeyringFile(keyringFile, ring);
  return { ring, unknown: [...keyChecks(ring)] };
};

/** With several machines a key is in use once the database knows it: until then it is being copied to all of them. */
const onlyKnown = (ring: Keyring, known: KeyChecks): Keyring => {
  const keys = ring.keys.filter(({ kid }) => known.has(kid));
  return keys.length === 0 ? ring : createKeyring(keys, ring.optOutKey);
};

/** A key that nothing needs may be off the ring: what retired it may have died before the database forgot it. */
const refuseOtherRing = (
  keyringFile: string,
  ring: KeyChecks,
  { known, needed }: { readonly known: KeyChecks; readonly needed: ReadonlySet<string> },
): void => {
  const isAnother = [...known].some(([kid, check]) => ring.has(kid) && ring.get(kid) !== check);
  const missing = [...needed].filter((kid) => !ring.has(kid) && (known.has(kid) || known.size === 0));
  if (!isAnother && missing.length === 0) return;
  // No rotation changes the key for opt-outs: with the same one it is the same ring, but an older or newer copy.
  throw isAnother || !known.has(OPT_OUT_KID)
    ? new OperatorError(
        EXIT.keyringChanged,
        `The keyring ${keyringFile} does not belong to this database`,
        'put the right one back.',
      )
    : new OperatorError(
        EXIT.keyringChanged,
        `Tokens are sealed with ${missing.join(', ')}, which is not on the keyring ${keyringFile}: it was retired, or the keyring is an older copy`,
        'put back a copy of the keyring that has this key.',
      );
};
