import { expect, it } from 'vitest';
import { runSuite } from './run-suite.ts';
import { plainSuite, type Part } from './suite.ts';

type Scene = Readonly<Record<string, number | boolean>>;

const run = async (parts: readonly Part<Scene>[], ...argv: readonly string[]) => {
  const options = { seed: 0, readme: false };
  const suite = plainSuite<Scene>({ about: 'Tries things.', options, parts: () => parts });
  const printed: string[] = [];
  const interrupted = new AbortController().signal;
  const exitCode = await runSuite(suite, { argv, interrupted, print: (text) => void printed.push(text) });
  return { exitCode, printed: printed.join('') };
};

const fine: Part<Scene> = { name: 'first', run: async () => ({ count: 20_000, broken: 0 }) };
const fails = () => Promise.reject(new Error('no server'));
it('a suite counts a part that throws as broken, shows where, runs the others, and tells the seed', async () => {
  const parts = [{ name: 'x', run: fails }, { name: 'y', whyNot: () => 'needs root', run: fails }, fine];
  const { exitCode, printed } = await run(parts, '--seed', '42');
  expect(exitCode).toBe(1);
  expect(printed).toMatch(/^BROKEN x: 1 of 0 broken; Error: no server\n.*run-suite\.test\.ts/m);
  expect(printed).toMatch(/^ok {4} y: 0 of 0 broken; skipped: needs root$/m);
  expect(printed).toMatch(/^ok {4} first: 0 of 20000 broken/m);
  expect(printed).toContain('seed 42');
});

it('a suite runs the parts with a word in the name, and refuses with 2 a word that is in none', async () => {
  expect((await run([fine, { name: 'other', run: fails }], 'fir')).exitCode).toBe(0);
  expect((await run([fine], 'nothing')).exitCode).toBe(2);
  expect((await run([fine], '--seed', 'x')).exitCode).toBe(2);
});
