import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA_VERSIONS } from './migrate.ts';
import { isStorageFault } from './storage-fault.ts';

/**
 * `forbidden`: this user may not read and write it. `busy`: another program has locked all of it, so that nothing can
 * be said of what is in it. `foreign`: a database, but none of ours.
 */
export type DatabaseState =
  | { readonly kind: 'absent' | 'forbidden' | 'busy' | 'damaged' | 'foreign' }
  | { readonly kind: 'outdated' | 'good' | 'newer'; readonly version: number };

export type InspectOptions = {
  /** `integrity_check` also compares the indexes with their tables. */
  readonly check?: 'quick_check' | 'integrity_check';
};

/** What a file is, without changing it. */
export const inspectDatabase = (
  path: string,
  { check = 'quick_check' }: InspectOptions = {},
): DatabaseState => {
  if (!existsSync(path)) return { kind: 'absent' };
  let sqlite: DatabaseSync | undefined;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    sqlite = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    const [answer] = sqlite.prepare(`pragma ${check}(1)`).all();
    if (answer?.[check] !== 'ok') return { kind: 'damaged' };
    const ours = sqlite.prepare(`select 1 from sqlite_schema where name = 'schema_migration'`).get();
    if (ours === undefined) return { kind: 'foreign' };
    const row = sqlite.prepare('select max(number) as version from schema_migration').get();
    return stateOfVersion(Number(row?.['version'] ?? 0), SCHEMA_VERSIONS.sqlite);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    return { kind: kindOfFailure(error as Failure) };
  } finally {
    sqlite?.close();
  }
};

export const stateOfVersion = (version: number, current: number): DatabaseState => {
  if (version === current) return { kind: 'good', version };
  return { kind: version < current ? 'outdated' : 'newer', version };
};

type Failure = NodeJS.ErrnoException & { readonly errcode?: number };

const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

const kindOfFailure = ({ syscall, errcode = 0 }: Failure): 'forbidden' | 'busy' | 'damaged' => {
  // The lowest byte is the kind of error, what is above it refines that.
  const code = errcode & 0xff;
  if (syscall === 'access' || code === SQLITE_CANTOPEN) return 'forbidden';
  return code === SQLITE_BUSY ? 'busy' : 'damaged';
};
