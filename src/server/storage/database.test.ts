import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDatabase, type Database } from './database.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { connectSqlite, type Statement } from './sqlite/sqlite-connection.ts';
import { connectSqliteThread } from './sqlite/sqlite-thread.ts';
import { isSqliteError, isStorageFault } from './storage-fault.ts';

const ROW = { token_id: 'x', retired_at: '2026-11-15T00:00:00.000Z', reason: 'platform' as const };

const pragma = async (db: Database, name: string): Promise<unknown> => {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
};

describe.each([
  { where: 'in the thread of the caller', connect: connectSqlite },
  { where: 'in a thread of its own', connect: connectSqliteThread },
])('$where', ({ connect }) => {
  const open = (path: string) => openDatabase(path, { connect });
  /** Opens it, does `work`, and closes it. */
  const withDatabase = async <T>(path: string, work: (db: Database) => Promise<T>): Promise<T> => {
    await using database = await open(path);
    return await work(database);
  };
  const migrations = (path: string) =>
    withDatabase(path, (db) => db.selectFrom('schema_migration').selectAll().execute());

  describe('the database', () => {
    it('is made for its owner only, and brought up to date once', async () => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'deep/er/whoflake.sqlite');
      const fresh = await migrations(path);
      expect(fresh.at(-1)?.number).toBe(SCHEMA_VERSION);
      expect(await migrations(path)).toEqual(fresh);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });

    it('keeps what was committed through a power cut, and overwrites what was deleted', async () => {
      using folder = temporaryFolder();
      await withDatabase(join(folder.path, 'db'), async (db) => {
        expect(await pragma(db, 'journal_mode')).toBe('wal');
        expect(await pragma(db, 'synchronous')).toBe(2);
        expect(await pragma(db, 'secure_delete')).toBe(1);
      });
    });

    it.each(['header', 'page', 'truncation', 'nothing left', 'another file'])(
      'that is damaged (%s) is refused and left as it is',
      async (damage) => {
        using folder = temporaryFolder();
        const path = join(folder.path, 'db');
        await (await openDatabase(path)).destroy();
        const bytes = readFileSync(path);
        if (damage === 'header') writeFileSync(path, bytes.fill(0x5a, 0, 16));
        if (damage === 'page') writeFileSync(path, bytes.fill(0xff, 4_096, 4_300));
        if (damage === 'truncation') truncateSync(path, 4_096);
        if (damage === 'nothing left') truncateSync(path, 0);
        if (damage === 'another file') writeFileSync(path, 'Dear diary, '.repeat(500));
        const before = readFileSync(path);
        await expect(open(path)).rejects.toMatchObject({
          name: 'OperatorError',
          exitCode: EXIT.databaseCorrupt,
        });
        expect(readFileSync(path)).toEqual(before);
        expect(existsSync(`${path}-wal`)).toBe(false);
      },
    );
  });

  describe('transactions', () => {
    it('that run at the same time do not interleave', async () => {
      using folder = temporaryFolder();
      await withDatabase(join(folder.path, 'db'), async (db) => {
        const steps: string[] = [];
        const transact = (n: number) =>
          db.transaction().execute(async (step) => {
            steps.push(`${n} begins`);
            for (let pause = 0; pause < 5; pause += 1) await Promise.resolve();
            const row = { ...ROW, token_id: `${n}` };
            await step.insertInto('retirement').values(row).execute();
            steps.push(`${n} ends`);
          });
        await Promise.all([0, 1, 2, 3].map(transact));
        expect(steps).toEqual([0, 1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]));
      });
    });

    it('that fail leave nothing, and the next one works', async () => {
      using folder = temporaryFolder();
      await withDatabase(join(folder.path, 'db'), async (db) => {
        const count = async () => (await db.selectFrom('retirement').selectAll().execute()).length;
        const twice = db.transaction().execute(async (step) => {
          await step.insertInto('retirement').values(ROW).execute();
          await step.insertInto('retirement').values(ROW).execute();
        });
        await expect(twice).rejects.toThrow('UNIQUE');
        await expect(twice).rejects.toSatisfy(isStorageFault);
        expect(await count()).toBe(0);
        await db.insertInto('retirement').values(ROW).execute();
        expect(await count()).toBe(1);
      });
    });
  });
});

it('can be opened and made while others open, close and make it', { tags: 'slow' }, async () => {
  using folder = temporaryFolder();
  const script = `const { openDatabase } = await import(process.argv[1]);
    for (let n = 0; n < 30; n += 1) await (await openDatabase(process.argv[2])).destroy();`;
  const module = join(import.meta.dirname, 'database.ts');
  const path = join(folder.path, 'db');
  const children = [1, 2].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', script, module, path], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(ends.flat()).toEqual([0, null, 0, null]);
  await (await openDatabase(path)).destroy();
});

it('when another process keeps the write lock, those who are next in turn are refused with the first, and it works again afterwards', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'db');
  const begun: string[] = [];
  await using db = await openDatabase(path, {
    connect: async (file) => {
      const connection = await connectSqliteThread(file);
      const watched = (statement: Statement) => {
        if (statement.sql.startsWith('insert into "retirement"')) begun.push(String(statement.parameters[0]));
        return connection.execute(statement);
      };
      return { ...connection, execute: watched };
    },
  });
  await sql`pragma busy_timeout = 1`.execute(db);
  const add = (token_id: string) => {
    const row = { ...ROW, token_id };
    return db.insertInto('retirement').values(row).execute();
  };
  using other = new DatabaseSync(path);
  other.exec('begin immediate');
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: expect.toSatisfy((error) => isSqliteError(error, 'BUSY')),
    });
  other.exec('rollback');
  await add('d');
  expect(begun).toEqual(['a', 'd']);
});
