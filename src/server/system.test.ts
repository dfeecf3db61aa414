import { expect, test } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createRepetition } from './system.ts';

test('a repetition stops once the work that is under way is done, and does not begin again', async () => {
  const { clock, advance } = createFakeSystem();
  const begunMs: number[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const work = () => (begunMs.push(clock.monotonicMs()), promise);
  const { start, stop } = createRepetition({ clock, work, restMs: () => 100 });
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
