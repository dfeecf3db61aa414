import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createStop } from './stop.ts';

const setUp = (close: () => Promise<void>) => {
  const { clock, advance } = createFakeSystem();
  const exits: number[] = [];
  const failures: unknown[] = [];
  const { stop } = createStop({
    close,
    limitMs: 1_000,
    clock,
    exit: (exitCode) => void exits.push(exitCode),
    logger: { info: () => {}, error: (failure: unknown) => void failures.push(failure) },
  });
  return { stop, advance, exits, failures };
};

it('a stop that fails is reported, and ends badly', async () => {
  const { stop, exits, failures } = setUp(() => Promise.reject(new TypeError('a defect')));
  await stop('SIGTERM');
  expect(exits).toEqual([1]);
  expect(failures).toEqual([expect.objectContaining({ event: 'stop-failed', name: 'TypeError' })]);
});

it('a stop ends badly at a second signal, or if it takes too long', async () => {
  const { stop, exits, advance } = setUp(() => new Promise<void>(() => {}));
  void stop('SIGTERM');
  await stop('SIGINT');
  expect(exits).toEqual([1]);
  await advance(1_000);
  expect(exits).toEqual([1, 1]);
});
