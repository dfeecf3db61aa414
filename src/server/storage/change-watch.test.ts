import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { watchChanges } from './change-watch.ts';

it('a change of the database that could not be taken over is tried again', async () => {
  const { clock, advance } = createFakeSystem();
  const seen = { version: 1, changes: 0, failures: 0, failing: false };
  const watch = watchChanges({
    clock,
    readVersion: async () => seen.version,
    isSameDatabase: () => true,
    onReplaced: () => {},
    onChange: async () => {
      if (seen.failing) throw new Error('not now');
      seen.changes += 1;
    },
    onRead: () => {},
    onFailure: () => void (seen.failures += 1),
  });
  await watch.start();
  Object.assign(seen, { version: 2, changes: 0, failing: true });
  await advance(1_000);
  expect(seen).toMatchObject({ changes: 0, failures: 2 });
  seen.failing = false;
  await advance(5_000);
  expect(seen).toMatchObject({ changes: 1, failures: 2 });
  await watch.stop();
});
