import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createDonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { EXIT } from '#server/operator-error.ts';
import { useDialects } from '#test/support/databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createDecoy } from './decoy.ts';
import { openWithdrawnFile, openWithdrawnList } from './withdrawn-list.ts';

const dialects = useDialects();
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('the list of withdrawn tokens', () => {
  it('is there again after a restart', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    const list = openWithdrawnFile(path);
    expect(list.has('a')).toBe(false);
    await list.add(['a']);
    await list.add(['b']);
    for (const reopened of [list, openWithdrawnFile(path)])
      expect(['a', 'b', 'c'].map(reopened.has)).toEqual([true, true, false]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('outlives a line that was torn', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    await openWithdrawnFile(path).add(['a']);
    appendFileSync(path, '\nhalf-a-');
    await openWithdrawnFile(path).add(['b']);
    expect(['a', 'b'].map(openWithdrawnFile(path).has)).toEqual([true, true]);
  });

  it('is not taken for empty when it cannot be read', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'withdrawn.txt');
    mkdirSync(path);
    expect(() => openWithdrawnFile(path)).toThrow(
      expect.objectContaining({ exitCode: EXIT.withdrawnUnreadable }),
    );
  });
});

describe.each(dialects)('the list and the rows on $name', ({ missing, create }) => {
  const it = test.skipIf(missing !== null);

  it('a row is listed for good once it is removed, and is not revived by a failure in between', async () => {
    using folder = temporaryFolder();
    await using databases = await create();
    const { database } = await databases.open();
    const path = join(folder.path, 'withdrawn.txt');
    const list = await openWithdrawnList(path, database);
    await list.add(idOf(1), async () => expect(list.has(idOf(1))).toBe(true));
    expect(list.has(idOf(1))).toBe(true);
    await expect(list.add(idOf(2), () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    const reopened = await openWithdrawnList(path, database);
    expect(reopened.has(idOf(1))).toBe(true);
  });
});

const postgres = dialects.find(({ name }) => name === 'PostgreSQL');

describe.skipIf(postgres?.missing !== null)('with several nodes', () => {
  const setUp = async () => {
    const folder = temporaryFolder();
    const databases = await postgres?.create();
    if (databases === undefined) throw new TypeError('There is no PostgreSQL.');
    const { database } = await databases.open();
    const store = createDonatedTokenStore(database);
    return {
      database,
      /** The list of the node by that name. */
      node: (name: string) => openWithdrawnList(join(folder.path, name), database),
      file: (name: string) => openWithdrawnFile(join(folder.path, name)),
      remove: (id: string) => () => store.withdraw(id, createDecoy(createFakeSystem())),
      [Symbol.asyncDispose]: async () => {
        await databases[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  };

  it('each takes over what another has listed, into its own file', async () => {
    await using test = await setUp();
    const [one, two] = [await test.node('one'), await test.node('two')];
    await one.add(idOf(1), test.remove(idOf(1)));
    expect(two.has(idOf(1))).toBe(false);
    await two.refresh();
    expect(two.has(idOf(1))).toBe(true);
    expect(test.file('two').ids()).toEqual([idOf(1)]);
    // As on a machine that only runs commands: its folder is not there yet.
    expect((await test.node('not/yet/three')).has(idOf(1))).toBe(true);
  });

  it('what a restored database has forgotten comes back from the file of any node', async () => {
    await using test = await setUp();
    await (await test.node('one')).add(idOf(1), test.remove(idOf(1)));
    await test.database.deleteFrom('withdrawn').execute();
    const many = Array.from({ length: 2_500 }, (_, n) => idOf(n + 10));
    await test.file('one').add([...many, 'torn-li']);
    await test.node('one');
    const two = await test.node('two');
    expect([idOf(1), ...many].every(two.has)).toBe(true);
    expect(two.has('torn-li')).toBe(false);
  });
});
