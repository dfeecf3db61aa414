import { describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/storage/database.ts';
import { secondsAgo } from '#server/storage/sql-dialect.ts';
import { useDialects } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createNodeStore, registerNode } from './node-store.ts';

const [, postgres] = useDialects();

const nodeOn = (database: Database, name: string, seed: number) => {
  const system = createFakeSystem({ seed });
  const failures: unknown[] = [];
  const register = registerNode({
    system,
    database,
    name,
    vault: { keysInFile: () => ['k1', 'k2'] },
    onFailure: (error) => failures.push(error),
  });
  return { ...register, system, failures };
};

describe.skipIf(postgres?.missing !== null)('servers on the same records', () => {
  const start = async () => {
    const databases = await postgres?.create();
    const { database } = (await databases?.open()) ?? {};
    if (databases === undefined || database === undefined) throw new Error('There is no PostgreSQL.');
    return {
      database,
      live: () => createNodeStore(database).live(),
      seen: (name: string, seconds: number) =>
        database
          .updateTable('node')
          .set({ seen_at: secondsAgo(seconds) })
          .where('name', '=', name)
          .execute(),
      [Symbol.asyncDispose]: databases[Symbol.asyncDispose],
    };
  };

  it('servers are on a list while they run, each with its keys and version', async () => {
    await using test = await start();
    const nodes = ['a', 'b', 'c'].map((name, n) => nodeOn(test.database, name, n));
    for (const node of nodes) await node.join();
    expect((await test.live()).map(({ name, kids, version }) => `${name} ${kids} ${version}`)).toEqual(
      ['a', 'b', 'c'].map((name) => expect.stringMatching(new RegExp(`^${name} k1 k2 \\d`))),
    );
    for (const node of nodes) await node.leave();
    expect(await test.live()).toEqual([]);
  });

  it('servers come back to the list if they were silent; what ended without a word is missed until it does, or is forgotten', async () => {
    await using test = await start();
    const [node, killed, ahead] = ['a', 'b', 'c'].map((name, n) => nodeOn(test.database, name, n));
    for (const one of [node, killed, ahead]) await one?.join();
    for (const name of ['a', 'b']) await test.seen(name, 11);
    // From before the clock was set back.
    await test.seen('c', -3_600);
    expect(await test.live()).toEqual([]);
    await vi.waitFor(async () => {
      await node?.system.advance(2_000);
      expect((await test.live()).map(({ name }) => name)).toEqual(['a']);
    }, EVENTUALLY);
    expect(node?.failures).toEqual([]);
    const store = createNodeStore(test.database);
    expect((await store.lost()).map(({ name }) => name)).toEqual(['b']);
    const again = nodeOn(test.database, 'b', 7);
    await again.join();
    expect(await store.lost()).toEqual([]);
    await again.leave();
    await killed?.join();
    await test.seen('b', 11);
    expect(await store.forget('a')).toBe(false);
    expect(await store.forget('b')).toBe(true);
    expect(await store.lost()).toEqual([]);
    await killed?.leave();
    await node?.leave();
  });
});
