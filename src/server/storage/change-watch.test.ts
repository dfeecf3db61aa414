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
    onRead: () => {},
    onFailure: () => void (seen.failures += 1),
  });
  await watch.start(async () => {
    if (seen.failing) throw new Error('not now');
    seen.changes += 1;
  });
  Object.assign(seen, { version: 2, changes: 0, failing: true });
  expect(watch.failure()).toBeNull();
  await advance(1_000);
  expect(seen).toMatchObject({ changes: 0, failures: 2 });
  expect(watch.failure()).toEqual(new Error('not now'));
  seen.failing = false;
  await advance(5_000);
  expect(seen).toMatchObject({ changes: 1, failures: 2 });
  expect(watch.failure()).toBeNull();
  await watch.stop();
});

it('what is known of the database is current for half a minute after a look that went well', async () => {
  const { clock, advance, stall } = createFakeSystem();
  let failing = false;
  const watch = watchChanges({
    clock,
    readVersion: async () => 1,
    isSameDatabase: () => {
      if (failing) throw new Error('not now');
      return true;
    },
    onReplaced: () => {},
    onRead: () => {},
    onFailure: () => {},
  });
  expect(watch.isCurrent()).toBe(false);
  await watch.start(async () => {});
  await advance(100_000);
  expect(watch.isCurrent()).toBe(true);
  failing = true;
  await advance(29_000);
  expect(watch.isCurrent()).toBe(true);
  await advance(1_500);
  expect(watch.isCurrent()).toBe(false);
  failing = false;
  await advance(600);
  expect(watch.isCurrent()).toBe(true);
  // The process was frozen.
  stall(31_000);
  expect(watch.isCurrent()).toBe(false);
  await watch.stop();
});
