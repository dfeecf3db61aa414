import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Database } from '#server/storage/database.ts';
import { realSystem } from '#server/system.ts';
import { useDialects } from '#test/support/databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openWithdrawnList } from './withdrawn-list.ts';

const A = '00000000-0000-4000-8000-000000000001';
const B = '00000000-0000-4000-8000-000000000002';

const openList = (path: string, database: Database, machine = 'one') =>
  openWithdrawnList({ path, database, random: realSystem.random, machine });

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
  });

  it('is complete once a server has begun it, also after a restart', async () => {
    using folder = temporaryFolder();
    await using databases = await create();
    const { database } = await databases.open();
    for (const _start of [1, 2]) {
      const list = await openList(join(folder.path, 'withdrawn.txt'), database);
      expect(list.isComplete()).toBe(false);
      await list.refresh();
      expect(list.isComplete()).toBe(true);
    }
  });
});
