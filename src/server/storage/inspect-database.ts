import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SCHEMA_VERSION } from './migrate.ts';
import { isSqliteError, isStorageFault } from './storage-fault.ts';

/** `foreign`: a database, but none of ours. `altered`: ours, but with triggers or views, which we have none of. */
export type DatabaseState =
  | { readonly kind: 'absent' | 'forbidden' | 'busy' | 'damaged' | 'foreign' | 'altered' }
  | { readonly kind: 'outdated' | 'good' | 'newer'; readonly version: number };

/** An `integrity_check` also compares the indexes with their tables. */
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
    return await inspectSchema((sql) => opened.prepare(sql).all());
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    return { kind: kindOfFailure(error as Error) };
  } finally {
    sqlite?.close();
  }
};

export const stateOfVersion = (version: number): DatabaseState => {
  if (version === SCHEMA_VERSION) return { kind: 'good', version };
  return { kind: version < SCHEMA_VERSION ? 'outdated' : 'newer', version };
};

const kindOfFailure = (error: Error): 'forbidden' | 'busy' | 'damaged' => {
  if ('syscall' in error || isSqliteError(error, 'CANTOPEN')) return 'forbidden';
  return isSqliteError(error, 'BUSY') ? 'busy' : 'damaged';
};

type Row = Readonly<Record<string, unknown>>;
type Ask = (sql: string) => readonly Row[] | Promise<readonly Row[]>;

const OBJECTS = 'select type, name from sqlite_schema';
/** As text: a number may be larger than any of ours. */
const VERSION = 'select cast(max(number) as text) as version from schema_migration';

/** A trigger or a view of somebody else's would take part in what is written and read. */
export const inspectSchema = async (ask: Ask): Promise<DatabaseState> => {
  const objects = await ask(OBJECTS);
  if (!objects.some(({ name, type }) => name === 'schema_migration' && type === 'table'))
    return { kind: 'foreign' };
  const version = Number((await ask(VERSION))[0]?.['version'] ?? 0);
  const isOurs =
    version > SCHEMA_VERSION || objects.every(({ type }) => type === 'table' || type === 'index');
  return isOurs && Number.isSafeInteger(version) ? stateOfVersion(version) : { kind: 'altered' };
};
