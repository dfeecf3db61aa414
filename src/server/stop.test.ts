import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createStop } from './stop.ts';

const setUp = (stop: () => Promise<void>) => {
  const { clock, advance } = createFakeSystem();
  const exits: number[] = [];
  const failures: unknown[] = [];
  const onSignal = createStop({
    stop,
    limitMs: 1_000,
    clock,
    exit: (exitCode) => void exits.push(exitCode),
    onStopping: () => {},
    onFailure: (error) => void failures.push(error),
  });
  return { onSignal, advance, exits, failures };
};

it('ends well once everything is closed', async () => {
  const { onSignal, exits } = setUp(async () => {});
  await onSignal('SIGTERM');
  expect(exits).toEqual([0]);
});

it('that fails is reported, and ends badly', async () => {
  const failure = new TypeError('a defect');
  const { onSignal, exits, failures } = setUp(() => Promise.reject(failure));
  await onSignal('SIGTERM');
  expect([exits, failures]).toEqual([[1], [failure]]);
});

it('ends badly at a second signal, or if it takes too long', async () => {
  const { onSignal, exits, advance } = setUp(() => new Promise<void>(() => {}));
  void onSignal('SIGTERM');
  await onSignal('SIGINT');
  expect(exits).toEqual([1]);
  await advance(1_000);
  expect(exits).toEqual([1, 1]);
});
