import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Database } from '#server/storage/database.ts';
import { realSystem } from '#server/system.ts';
import { useDialects } from '#test/support/databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openWithdrawnFile, openWithdrawnList } from './withdrawn-list.ts';

const [A, B, C] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string];

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
