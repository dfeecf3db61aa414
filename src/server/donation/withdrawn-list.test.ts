import { appendFileSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import type { Database } from '#server/storage/database.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { realSystem } from '#server/system.ts';
import { createDonatedTokenStore } from '#server/vault/donated-tokens.ts';
import { useDialects, usePostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openWithdrawnFile, openWithdrawnList } from './withdrawn-list.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [A, B, C] = [idOf(1), idOf(2), idOf(3)];

const openList = (path: string, database: Database) => openWithdrawnList(path, database, realSystem.random);

describe.each(useDialects())('the list and the rows on $name', ({ missing, create }) => {
  const it = test.skipIf(missing !== null);

  it('a row is listed for good once it is removed, and is not revived by a failure in between', async () => {
    using folder = temporaryFolder();
    await using databases = await create();
    const { database } = await databases.open();
    const path = join(folder.path, 'withdrawn.txt');
    const list = await openList(path, database);
    await list.add(A, async () => expect(list.has(A)).toBe(true));
    expect(list.has(A)).toBe(true);
    await expect(list.add(B, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    const reopened = await openList(path, database);
    expect(reopened.has(A)).toBe(true);
    // As a command does it beside a server.
    await reopened.add(C, async () => {});
    await list.refresh();
    expect(list.has(C)).toBe(true);
  });
});

test('the file outlives a line that was torn, and passes over empty lines', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'withdrawn.txt');
  await openWithdrawnFile(path).add([A, '']);
  appendFileSync(path, '\n\r\n 00000000-0000-4000');
  await openWithdrawnFile(path).add([B]);
  appendFileSync(path, `${C}\r\n`);
  expect(openWithdrawnFile(path).ids()).toEqual([A, B, C]);
});

const postgres = usePostgres();

describe.skipIf(POSTGRES_MISSING !== null)('with several nodes', () => {
  const setUp = async () => {
    const folder = temporaryFolder();
    const url = await (await postgres()).newDatabase();
    const { database } = await openPostgresDatabase(url, { create: true });
    const store = createDonatedTokenStore(database);
    const run = async (...statements: string[]): Promise<void> => {
      for (const statement of statements) await sql.raw(statement).execute(database);
    };
    const remove = (id: string) => () => store.withdraw(id);
    const open = (machine: string) => openList(join(folder.path, machine), database);
    const start = async (name: string) => {
      const list = await open(name);
      await list.refresh();
      return list;
    };
    return {
      database,
      remove,
      /** The list of the node by that name, as a command has it, and as a server has it. */
      open,
      start,
      path: (name: string) => join(folder.path, name),
      file: (name: string) => openWithdrawnFile(join(folder.path, name)),
      /** Somebody withdraws while only that node runs. */
      withdrawAt: async (name: string, id: string) => (await start(name)).add(id, remove(id)),
      dump: () => run('create table rows as table withdrawn', 'create table lists as table withdrawn_list'),
      /** As pg_restore does it: with a new table in the place of the old one. */
      restore: () =>
        run(
          'create table restored (like withdrawn including all)',
          'insert into restored table rows',
          'drop table withdrawn',
          'alter table restored rename to withdrawn',
          'delete from withdrawn_list',
          'insert into withdrawn_list table lists',
        ),
      [Symbol.asyncDispose]: async () => {
        await database.destroy();
        folder[Symbol.dispose]();
      },
    };
  };

  it('after a dump was restored none is complete in whatever order they start, until the operator says so', async () => {
    const order = ['two', 'three', 'one'];
    await using test = await setUp();
    for (const name of order) expect((await test.start(name)).isComplete()).toBe(true);
    await test.dump();
    await test.withdrawAt('one', A);
    await test.restore();
    const started = [];
    for (const name of order) {
      started.push(await test.start(name));
      expect(started.map((list) => list.isComplete())).toEqual(started.map(() => false));
    }
    const command = await test.open('elsewhere');
    expect(await command.isHeld()).toBe(true);
    await command.release();
    for (const list of started) await list.refresh();
    expect(started.map((list) => [list.isComplete(), list.has(A)])).toEqual(order.map(() => [true, true]));
    expect(test.file('two').ids()).toEqual([A]);
  });

  it('what any of them has at its start and the database does not tells of a restore without a dump', async () => {
    await using test = await setUp();
    for (const name of ['one', 'two']) await test.start(name);
    await test.withdrawAt('one', A);
    await test.withdrawAt('two', B);
    await test.database.deleteFrom('withdrawn').execute();
    const [one, two] = [await test.start('one'), await test.start('two')];
    await one.refresh();
    for (const list of [one, two])
      expect([list.isComplete(), list.has(A), list.has(B)]).toEqual([false, true, true]);
  });

  it('a list that comes from a folder into a new database holds nothing up', async () => {
    await using test = await setUp();
    await test.file('one').add([A]);
    const [one, two] = [await test.start('one'), await test.start('two')];
    expect([one, two].map((list) => [list.isComplete(), list.has(A)])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('what a standby that took over has missed while they run is told again, and holds nothing up', async () => {
    await using test = await setUp();
    const one = await test.start('one');
    await one.add(A, test.remove(A));
    await test.database.deleteFrom('withdrawn').execute();
    const two = await test.start('two');
    expect(two.has(A)).toBe(false);
    for (const list of [one, two]) await list.refresh();
    expect([one, two].map((list) => [list.isComplete(), list.has(A)])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('what a full disk keeps out of the file is known all the same', async () => {
    await using test = await setUp();
    await test.withdrawAt('one', A);
    mkdirSync(test.path('two'));
    await expect(test.start('two')).rejects.toThrow();
    rmdirSync(test.path('two'));
    const two = await test.open('two');
    mkdirSync(test.path('two'));
    await expect(two.refresh()).rejects.toThrow();
    expect(two.has(A)).toBe(true);
  });

  it('the list of a machine that is gone is merged from its file, and a release ends the wait', async () => {
    await using test = await setUp();
    for (const name of ['one', 'two']) await test.start(name);
    await test.dump();
    const many = Array.from({ length: 2_500 }, (_, n) => idOf(n + 10));
    await test.withdrawAt('two', A);
    await test.file('two').add([...many, 'torn-li']);
    await test.restore();
    const one = await test.start('one');
    expect(await (await test.open('command')).merge(test.path('two'))).toBe(2_501);
    await one.refresh();
    expect([one.isComplete(), [A, ...many].every(one.has)]).toEqual([false, true]);
    expect(one.has('torn-li')).toBe(false);
    await (await test.open('command')).release();
    await one.refresh();
    expect(one.isComplete()).toBe(true);
  });
});
