import { expect, test } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createRepetition } from './system.ts';

const startRepetition = () => {
  const { clock, advance } = createFakeSystem();
  const begunMs: number[] = [];
  let finish = (): void => {};
  const work = () => {
    begunMs.push(clock.monotonicMs());
    const { promise, resolve } = Promise.withResolvers<void>();
    finish = resolve;
    return promise;
  };
  const repetition = createRepetition({ clock, work, restMs: () => 100 });
  return { ...repetition, begunMs, advance, finish: () => finish() };
};

test('a repetition stops once the work that is under way is done, and does not begin again', async () => {
  const { start, stop, begunMs, advance, finish } = startRepetition();
  start();
  await advance(100);
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await advance(1_000);
  expect(hasStopped).toBe(false);
  finish();
  await stopped;
  await advance(1_000);
  expect(begunMs).toEqual([100]);
});
