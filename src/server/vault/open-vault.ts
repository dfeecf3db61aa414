import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively, isPostgres } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { newRootKey, parseKeyring, readKeyringFile, ROOT_BYTES, writeNewKeyringFile } from './keyring.ts';
import type { Keyring } from './keyring.ts';
import { createVault, keyChecks, OPT_OUT_KID, optOutCheck, type KeyChecks, type VaultKeys } from './vault.ts';

type OpenVaultDeps = {
  readonly system: System;
  readonly database: Database;
  readonly keyringFile: string;
  /** The caller knows that the database is empty, and that there may be no ring. */
  readonly isNewSite?: boolean;
  readonly create?: boolean;
};

/** The active key, by its name, and the one for opt-outs, each with its check. */
export const createVaultKeyStore = (db: Database) => ({
  all: async (): Promise<KeyChecks> => {
    const rows = await db.selectFrom('vault_key').selectAll().execute();
    return new Map(rows.map(({ kid, check_digest }) => [kid, check_digest]));
  },
  /** Throws if the key is known: its check is never written over. */
  add: (kid: string, check_digest: string) =>
    db.insertInto('vault_key').values({ kid, check_digest }).execute(),
  forget: (kid: string) => db.deleteFrom('vault_key').where('kid', '=', kid).execute(),
  refuseOther: async (kid: string): Promise<void> => {
    if (!(await createVaultKeyStore(db).all()).has(kid))
      throw new OperatorError(
        EXIT.keyringChanged,
        'The key of the vault was changed while this server ran',
        'copy the newest keyring to this machine, and restart it.',
      );
  },
});

export type OpenedVault = Awaited<ReturnType<typeof openVault>>;

export const openVault = async (deps: OpenVaultDeps) => {
  const vault = createVault(await readKeys(deps), deps.system.random);
  return {
    ...vault,
    /** A server that was cut off while keys were rotated must neither read nor write with its old one. */
    refuseOtherKey: (): Promise<void> => createVaultKeyStore(deps.database).refuseOther(vault.kid),
  };
};

const readKeys = async (deps: OpenVaultDeps): Promise<VaultKeys> => {
  const read = await examine(deps, deps.database);
  // Without the write lock: a command may hold it.
  if (read?.unknown.size === 0) return read.keys;
  return exclusively(deps.database, async (step) => {
    // Examined again under the lock: another process may have made a ring meanwhile.
    const { keys, unknown } = (await examine(deps, step)) ?? createRing(deps);
    for (const [kid, check] of unknown) await createVaultKeyStore(step).add(kid, check);
    return keys;
  });
};

/** `unknown`: what the database does not have yet. */
type Examined = { readonly keys: VaultKeys; readonly unknown: KeyChecks };

const examine = async (deps: OpenVaultDeps, db: Database): Promise<Examined | null> => {
  const { keyringFile, isNewSite = false } = deps;
  const known = await createVaultKeyStore(db).all();
  const rows = await db.selectFrom('donated_token').select('kid').distinct().execute();
  const sealed = new Set(rows.map(({ kid }) => kid));
  const optOut = await db.selectFrom('opt_out').select('digest').limit(1).executeTakeFirst();
  const isEmpty = known.size + sealed.size === 0 && optOut === undefined;
  // An empty database instead of a lost one would show the profiles of people who opted out.
  if (isPostgres(db) && isEmpty && !isNewSite)
    throw new OperatorError(
      EXIT.databaseMissing,
      `The database is empty, but the keyring ${keyringFile} is there`,
      'restore a backup with ops restore, or start a new site with ops init.',
    );

  const text = readKeyringFile(keyringFile);
  if (text === null && isEmpty) return null;
  if (text === null)
    throw new OperatorError(
      EXIT.keyringMissing,
      `The keyring ${keyringFile} is missing, but the database was written with one`,
      'put it back, or a copy from another machine of this site, or set KEYRING_FILE to where it is.',
    );
  const ring = parseKeyring(text);
  if (ring === null)
    throw new OperatorError(
      EXIT.keyringUnreadable,
      `The keyring ${keyringFile} is damaged`,
      isEmpty ? 'nothing depends on it yet, so delete it to get a new one.' : 'put back a copy of it.',
    );

  const keys = { active: activeKey(keyringFile, ring, { known, sealed }), optOutKey: ring.optOutKey };
  const checks = [...keyChecks(keys)];
  if (checks.some(([kid, check]) => known.has(kid) && known.get(kid) !== check)) throw otherRing(keyringFile);
  return { keys, unknown: new Map(checks.filter(([kid]) => !known.has(kid))) };
};

type Named = { readonly known: KeyChecks; readonly sealed: ReadonlySet<string> };

/** The one that the database names. A list of keys that was emptied must not have another one taken. */
const activeKey = (keyringFile: string, { keys, optOutKey }: Keyring, { known, sealed }: Named) => {
  const named = new Set(known.keys()).difference(new Set([OPT_OUT_KID]));
  const wanted = named.size > 0 ? named : sealed;
  const active = keys.findLast(({ kid }) => wanted.size === 0 || wanted.has(kid));
  if (active !== undefined) return active;
  // No rotation changes the key for opt-outs: with the same one it is the same ring, but an older or newer copy.
  throw known.get(OPT_OUT_KID) === optOutCheck(optOutKey)
    ? new OperatorError(
        EXIT.keyringChanged,
        `Tokens are sealed with ${[...wanted].join(', ')}, which is not on the keyring ${keyringFile}: it was retired, or the keyring is an older copy`,
        'put back a copy of the keyring that has this key.',
      )
    : otherRing(keyringFile);
};

const otherRing = (keyringFile: string): OperatorError =>
  new OperatorError(
    EXIT.keyringChanged,
    `The keyring ${keyringFile} does not belong to this database`,
    'put the right one back.',
  );

const createRing = ({ system, keyringFile, create = true }: OpenVaultDeps): Examined => {
  if (!create)
    throw new OperatorError(
      EXIT.keyringMissing,
      `There is no keyring ${keyringFile}`,
      'check KEYRING_FILE, or start the server once, which makes one.',
    );
  const keys = { active: newRootKey(system), optOutKey: system.random.bytes(ROOT_BYTES) };
  writeNewKeyringFile(keyringFile, { keys: [keys.active], optOutKey: keys.optOutKey });
  return { keys, unknown: keyChecks(keys) };
};
