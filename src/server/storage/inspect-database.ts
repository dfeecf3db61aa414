import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** What a file is, without changing it. */
export type DatabaseFinding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' }
  /** A database, but none of ours. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'sound'; readonly version: number };

export const inspectDatabase = (path: string): DatabaseFinding => {
  if (!existsSync(path)) return { kind: 'absent' };
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    const [check] = sqlite.prepare('pragma quick_check(1)').all();
    if (check?.['quick_check'] !== 'ok') return { kind: 'damaged' };
    const ours = sqlite.prepare(`select 1 from sqlite_schema where name = 'schema_migration'`).get();
    if (ours === undefined) return { kind: 'foreign' };
    const row = sqlite.prepare('select max(number) as version from schema_migration').get();
    return { kind: 'sound', version: Number(row?.['version'] ?? 0) };
  } catch {
    return { kind: 'damaged' };
  } finally {
    sqlite?.close();
  }
};
