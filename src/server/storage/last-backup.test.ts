import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { findLastBackup, seriesName } from './last-backup.ts';

const NAME = seriesName(Date.UTC(2026, 10, 17));

it.each([
  ['a dump that failed and is empty', 'url', 'a.dump', ''],
  ['a dump that ended early', 'url', 'a.dump', 'PGDMP'],
  ['a file of something else', 'url', 'a.txt', 'x'.repeat(2_000)],
  ['a database of another name', null, 'mine.sqlite', 'SQLite format 3\0'.padEnd(2_000)],
  ['a file that is no database', null, seriesName(Date.UTC(2026, 10, 18)), 'x'.repeat(2_000)],
])('%s is no backup', (_what, databaseUrl, name, text) => {
  using folder = temporaryFolder();
  const places = { backupDir: folder.path, databaseUrl };
  const good = join(folder.path, databaseUrl === null ? NAME : 'good.dump');
  writeFileSync(good, (databaseUrl === null ? 'SQLite format 3\0' : 'PGDMP').padEnd(2_000));
  utimesSync(good, new Date(), new Date(Date.UTC(2026, 10, 17)));
  writeFileSync(join(folder.path, name), text);
  expect(findLastBackup(places)).toEqual({ at: '2026-11-17T00:00:00.000Z', file: good });
});
