import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sleep } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { watchChanges } from './change-watch.ts';
import { openWatchedDatabase, type Database } from './database.ts';

const write = (database: Database, digest: string) =>
  database.insertInto('opt_out').values({ digest, created_day: '2026-11-15' }).execute();

const setUp = async () => {
  const folder = temporaryFolder();
  const [own, other] = [
    await openWatchedDatabase(join(folder.path, 'db')),
    await openWatchedDatabase(join(folder.path, 'db')),
  ];
  const { clock, advance } = createFakeSystem();
  const seen = { reads: 0, takesMs: 0, changes: -1, failures: 0, failing: false };
  const watch = watchChanges({
    clock,
    readVersion: own.readVersion,
    isSameDatabase: () => true,
    onReplaced: () => {},
    onChange: async () => {
      if (seen.failing) throw new Error('not now');
      if (seen.takesMs > 0) await sleep(clock, seen.takesMs);
      seen.changes += 1;
    },
    onRead: () => void (seen.reads += 1),
    onFailure: () => void (seen.failures += 1),
  });
  await watch.start();
  return {
    own: own.database,
    other: other.database,
    watch,
    seen,
    advance,
    [Symbol.asyncDispose]: async () => {
      await watch.stop();
      await own.database.destroy();
      await other.database.destroy();
      folder[Symbol.dispose]();
    },
  };
};

it('a change that could not be taken over is tried again', async () => {
  await using test = await setUp();
  test.seen.failing = true;
  await write(test.other, 'a');
  await test.advance(1_000);
  expect(test.seen).toMatchObject({ changes: 0, failures: 2, reads: 0 });
  test.seen.failing = false;
  await test.advance(500);
  expect(test.seen).toMatchObject({ changes: 1, failures: 2, reads: 1 });
});
