import { expect, it, vi } from 'vitest';
import { secondsAgo } from '#server/storage/sql-dialect.ts';
import { useDialects } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createNodeStore, registerNode } from './node-store.ts';

const [, postgres] = useDialects();

it.skipIf(postgres?.missing !== null)(
  'servers are on a list while they run, and missed if they end without a word',
  async () => {
    await using databases = await postgres?.create();
    const { database } = (await databases?.open()) ?? {};
    if (database === undefined) throw new Error('There is no PostgreSQL.');
    const failures: unknown[] = [];
    const start = (name: string, seed: number) => {
      const system = createFakeSystem({ seed });
      const vault = { keysInFile: () => ['k1', 'k2'] };
      const onFailure = (error: unknown): void => void failures.push(error);
      return { ...registerNode({ system, database, name, vault, onFailure }), system };
    };
    const store = createNodeStore(database);
    const liveNames = async () => (await store.live()).map(({ name }) => name);
    const lostNames = async () => (await store.lost()).map(({ name }) => name);
    const wasSeen = (name: string, seconds: number) =>
      database
        .updateTable('node')
        .set({ seen_at: secondsAgo(seconds) })
        .where('name', '=', name)
        .execute();

    const [silent, killed, ahead] = [start('a', 0), start('b', 1), start('c', 2)];
    for (const node of [silent, killed, ahead]) await node.join();
    const told = (await store.live()).map(({ name, kids, version }) => `${name} ${kids} ${version}`);
    expect(told).toEqual(
      ['a', 'b', 'c'].map((name) => expect.stringMatching(new RegExp(`^${name} k1 k2 \\d`))),
    );

    for (const name of ['a', 'b']) await wasSeen(name, 11);
    // From before the clock was set back.
    await wasSeen('c', -3_600);
    expect(await liveNames()).toEqual([]);
    await vi.waitFor(async () => {
      await silent.system.advance(2_000);
      expect(await liveNames()).toEqual(['a']);
    }, EVENTUALLY);
    expect(await lostNames()).toEqual(['b']);

    const again = start('b', 7);
    await again.join();
    expect(await lostNames()).toEqual([]);
    await again.leave();
    await killed.join();
    await wasSeen('b', 11);
    expect([await store.forget('a'), await store.forget('b')]).toEqual([false, true]);
    expect(await lostNames()).toEqual([]);
    for (const node of [silent, killed]) await node.leave();
    expect([await liveNames(), failures]).toEqual([[], []]);
  },
);
