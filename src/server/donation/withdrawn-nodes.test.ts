import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { realSystem } from '#server/system.ts';
import { createDecoy, createDonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { usePostgres } from '#test/support/databases.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openWithdrawnFile } from './withdrawn-file.ts';
import { openWithdrawnList } from './withdrawn-list.ts';

const postgres = usePostgres();
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [A, B] = [idOf(1), idOf(2)];

describe.skipIf(POSTGRES_MISSING !== null)('with several nodes', () => {
  const setUp = async () => {
    const folder = temporaryFolder();
    const url = await (await postgres()).newDatabase();
    const { database } = await openPostgresDatabase(url, { create: true });
    const store = createDonatedTokenStore(database);
    const run = async (...statements: string[]): Promise<void> => {
      for (const statement of statements) await sql.raw(statement).execute(database);
    };
    const remove = (id: string) => () => store.withdraw(id, createDecoy(createFakeSystem()));
    const { random } = realSystem;
    const open = (machine: string) =>
      openWithdrawnList({ path: join(folder.path, machine), database, random, machine });
    const start = async (name: string) => {
      const list = await open(name);
      await list.refresh();
      return list;
    };
    return {
      database,
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

  it('after a dump was restored they wait for every list', async () => {
    const order = ['two', 'three', 'one'];
    await using test = await setUp();
    for (const name of order) await test.start(name);
    await test.dump();
    await test.withdrawAt('one', A);
    await test.restore();
    const started = [];
    for (const name of order) {
      const awaited = order.slice(started.length).toSorted();
      expect(await (await test.open('elsewhere')).awaited()).toEqual(awaited);
      expect(started.some((list) => list.isComplete())).toBe(false);
      started.push(await test.start(name));
    }
    for (const list of started) await list.refresh();
    expect(started.map((list) => [list.isComplete(), list.has(A)])).toEqual(order.map(() => [true, true]));
  });

  it('what any of them has and the database does not tells of a restore without a dump', async () => {
    await using test = await setUp();
    for (const name of ['one', 'two']) await test.start(name);
    await test.withdrawAt('one', A);
    await test.withdrawAt('two', B);
    await test.database.deleteFrom('withdrawn').execute();
    const one = await test.start('one');
    expect([one.isComplete(), await one.awaited()]).toEqual([false, ['two']]);
    const two = await test.start('two');
    await one.refresh();
    for (const list of [one, two])
      expect([list.isComplete(), list.has(A), list.has(B)]).toEqual([true, true, true]);
  });

  it('a machine that is gone is not waited for once its list was merged, or its operator says so', async () => {
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
    expect([one.isComplete(), [A, ...many].every(one.has)]).toEqual([true, true]);
    expect(one.has('torn-li')).toBe(false);
    await (await test.open('command')).hold();
    const again = await test.start('one');
    expect([again.isComplete(), await again.awaited()]).toEqual([false, ['two']]);
    await (await test.open('command')).release();
    await again.refresh();
    expect(again.isComplete()).toBe(true);
  });
});
