import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

it('starts one of an address in each turn, in order, and those of others at once', async () => {
  const takeTurn = createFairTurns();
  const started: string[] = [];
  const ask = (...names: readonly string[]): void => {
    for (const name of names) takeTurn(name.slice(0, 1), () => started.push(name));
  };

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
