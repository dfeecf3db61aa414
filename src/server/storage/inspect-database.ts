import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA_VERSIONS } from './migrate.ts';
import { readFileSchema } from './sqlite/file-schema.ts';
import { isSqliteError, isStorageFault } from './storage-fault.ts';

/**
 * `forbidden`: this user may not read and write it. `busy`: another program has locked all of it, so that nothing can
 * be said of what is in it. `foreign`: a database, but none of ours. `altered`: one of ours, in which another program
 * has changed more than rows.
 */
export type DatabaseState =
  | { readonly kind: 'absent' | 'forbidden' | 'busy' | 'damaged' | 'foreign' | 'altered' }
  | { readonly kind: 'outdated' | 'good' | 'newer'; readonly version: number };

/** What a file is, without changing it. An `integrity_check` also compares the indexes with their tables. */
export const inspectDatabase = async (
  path: string,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): Promise<DatabaseState> => {
  if (!existsSync(path)) return { kind: 'absent' };
  let sqlite: DatabaseSync | undefined;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    sqlite = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    const [answer] = sqlite.prepare(`pragma ${check}(1)`).all();
    if (answer?.[check] !== 'ok') return { kind: 'damaged' };
    const opened = sqlite;
    const schema = await readFileSchema((sql) => opened.prepare(sql).all());
    if (schema.kind === 'ours') return stateOfVersion(schema.version, SCHEMA_VERSIONS.sqlite);
    return { kind: schema.kind === 'altered' ? 'altered' : 'foreign' };
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    return { kind: kindOfFailure(error as Error) };
  } finally {
    sqlite?.close();
  }
};

export const stateOfVersion = (version: number, current: number): DatabaseState => {
  if (version === current) return { kind: 'good', version };
  return { kind: version < current ? 'outdated' : 'newer', version };
};

const kindOfFailure = (error: Error): 'forbidden' | 'busy' | 'damaged' => {
  if ('syscall' in error || isSqliteError(error, 'CANTOPEN')) return 'forbidden';
  return isSqliteError(error, 'BUSY') ? 'busy' : 'damaged';
};
