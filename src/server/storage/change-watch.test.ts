import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { watchChanges } from './change-watch.ts';

const setUp = () => {
  const { clock, advance, stall } = createFakeSystem();
  const seen = { version: 1, changes: 0, failures: 0, cannotChange: false, cannotLook: false };
  const failIf = (isFailing: boolean): void => {
    if (isFailing) throw new Error('not now');
  };
  const watch = watchChanges({
    clock,
    readVersion: async () => (failIf(seen.cannotLook), seen.version),
    isSameDatabase: () => true,
    onReplaced: () => {},
    onRead: () => {},
    onFailure: () => void (seen.failures += 1),
  });
  const change = async (): Promise<void> => {
    failIf(seen.cannotChange);
    seen.changes += 1;
  };
  return { watch, seen, change, advance, stall };
};

it('a change of the database that could not be taken over is tried again', async () => {
  const { watch, seen, change, advance } = setUp();
  await watch.start(change);
  Object.assign(seen, { version: 2, changes: 0, cannotChange: true });
  expect(watch.failure()).toBeNull();
  await advance(1_000);
  expect(seen).toMatchObject({ changes: 0, failures: 2 });
  expect(watch.failure()).toEqual(new Error('not now'));
  seen.cannotChange = false;
  await advance(5_000);
  expect(seen).toMatchObject({ changes: 1, failures: 2 });
  expect(watch.failure()).toBeNull();
  await watch.stop();
});

it('however slowly the database has answered, it is looked at again a second later', async () => {
  const { watch, seen, change, advance, stall } = setUp();
  await watch.start(async () => {
    stall(4_400);
    await change();
  });
  seen.version = 2;
  await advance(1_000);
  expect(seen.changes).toBe(2);
  await watch.stop();
});

it('what is known of the database is current for half a minute after a look that went well', async () => {
  const { watch, seen, change, advance, stall } = setUp();
  expect(watch.isCurrent()).toBe(false);
  await watch.start(change);
  await advance(100_000);
  expect(watch.isCurrent()).toBe(true);
  seen.cannotLook = true;
  await advance(29_000);
  expect(watch.isCurrent()).toBe(true);
  await advance(1_500);
  expect(watch.isCurrent()).toBe(false);
  seen.cannotLook = false;
  await advance(600);
  expect(watch.isCurrent()).toBe(true);
  // The process was frozen.
  stall(31_000);
  expect(watch.isCurrent()).toBe(false);
  await watch.stop();
});
