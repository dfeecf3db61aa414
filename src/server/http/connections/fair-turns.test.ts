import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFairTurns } from './serialize-pipelining.ts';

/** Starting one takes so long. */
const createTurns = (tookMs: number) => {
  const { clock, stall } = createFakeSystem();
  const started: string[] = [];
  const takeTurn = createFairTurns<string>(clock, (name) => {
    started.push(name);
    stall(tookMs);
  });
  const ask = (...names: readonly string[]): void => {
    for (const name of names) takeTurn(name.slice(0, 1), name);
  };
  return { ask, started, stall };
};

it('each turn starts one request of an address, in order, and those of others at once', async () => {
  const { ask, started } = createTurns(1);

  ask('a0', 'a1', 'b0', 'a2', 'c0', 'c1');
  expect(started.splice(0)).toEqual(['a0', 'b0', 'c0']);
  await nextTurn();
  ask('a3', 'b1', 'c2');
  expect(started.splice(0)).toEqual(['a1', 'c1', 'b1']);
  await nextTurn();
  expect(started.splice(0)).toEqual(['a2', 'c2']);
  await nextTurn();
  expect(started.splice(0)).toEqual(['a3']);
  await nextTurn();
  ask('a4');
  expect(started.splice(0)).toEqual(['a4']);
});
