import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDatabase } from './database.ts';
import { inspectDatabase } from './inspect-database.ts';

const isRoot = process.getuid?.() === 0;
it('a database file that this user may not write is forbidden', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database');
  await (await openDatabase(path)).destroy();
  // Rights do not bind root; a folder in the way of the log does.
  if (isRoot) mkdirSync(`${path}-wal`);
  else chmodSync(path, 0o400);
  expect(await inspectDatabase(path)).toEqual({ kind: 'forbidden' });
});
