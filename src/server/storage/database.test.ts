import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { inspectDatabase, openDatabase, type Database } from './database.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { connectSqlite } from './sqlite/sqlite-connection.ts';
import { connectSqliteThread } from './sqlite/sqlite-thread.ts';

const ROW = { token_id: 'x', retired_at: '2026-11-15T00:00:00.000Z', reason: 'platform' as const };

const newPath = (name = 'db'): string => {
  const folder = temporaryFolder();
  onTestFinished(folder[Symbol.dispose]);
  return join(folder.path, name);
};
const pragma = async (db: Database, name: string): Promise<unknown> => {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
};

describe.each([
  { where: 'in the thread of the caller', connect: connectSqlite },
  { where: 'in a thread of its own', connect: connectSqliteThread },
])('$where', ({ connect }) => {
  const open = async (path: string) => (await openDatabase(path, { connect })).database;

  it('a database is made for its owner only, and brought up to date once', async () => {
    const path = newPath('deep/er/whoflake.sqlite');
    const migrations = async () => {
      await using db = await open(path);
      return await db.selectFrom('schema_migration').selectAll().execute();
    };
    const fresh = await migrations();
    expect(fresh.at(-1)?.number).toBe(SCHEMA_VERSION);
    expect(await migrations()).toEqual(fresh);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('a database keeps what was committed through a power cut, and overwrites what was deleted', async () => {
    await using db = await open(newPath());
    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'synchronous')).toBe(2);
    expect(await pragma(db, 'secure_delete')).toBe(1);
  });

  it.each<[damage: string, to: (path: string, bytes: Buffer) => void]>([
    ['page', (path, bytes) => writeFileSync(path, bytes.fill(0xff, 4_096, 4_300))],
    ['nothing left', (path) => truncateSync(path, 0)],
    ['another file', (path) => writeFileSync(path, 'Dear diary, '.repeat(500))],
  ])('a database that is damaged (%s) is refused and left as it is', async (_, damage) => {
    const path = newPath();
    await (await open(path)).destroy();
    damage(path, readFileSync(path));
    const before = readFileSync(path);
    const refusal = { name: 'OperatorError', exitCode: EXIT.databaseCorrupt };
    await expect(open(path)).rejects.toMatchObject(refusal);
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it('transactions that run at the same time do not interleave', async () => {
    await using db = await open(newPath());
    const steps: string[] = [];
    const transact = (n: number) =>
      db.transaction().execute(async (step) => {
        steps.push(`${n} begins`);
        for (let pause = 0; pause < 5; pause += 1) await Promise.resolve();
        await step
          .insertInto('retirement')
          .values({ ...ROW, token_id: `${n}` })
          .execute();
        steps.push(`${n} ends`);
      });
    await Promise.all([0, 1, 2, 3].map(transact));
    expect(steps).toEqual([0, 1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]));
  });
});

it('a database file that this user may not write is forbidden', async () => {
  const path = newPath();
  await (await openDatabase(path)).database.destroy();
  // Rights do not bind root; a folder in the way of the log does.
  if (process.getuid?.() === 0) mkdirSync(`${path}-wal`);
  else chmodSync(path, 0o400);
  expect(await inspectDatabase(path)).toEqual({ kind: 'forbidden' });
});
