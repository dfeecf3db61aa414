import { expect, it } from 'vitest';
import { runSuite } from './run-suite.ts';
import { plainSuite, type Part } from './suite.ts';

const OPTIONS = { seed: 0, minutes: 2, quick: false };
type Scene = Readonly<Record<string, number | boolean>>;

const run = async (parts: readonly Part<Scene>[], ...argv: readonly string[]) => {
  const suite = plainSuite<Scene>({ about: 'Tries things.', options: OPTIONS, parts: () => parts });
  let [printed, progress] = ['', ''];
  const exitCode = await runSuite(suite, {
    name: 'trial',
    argv,
    interrupted: new AbortController().signal,
    print: (text) => void (printed += text),
    progress: (text) => void (progress += text),
  });
  return { exitCode, printed, progress };
};

const fine: Part<Scene> = { name: 'first', run: async () => ({ count: 20_000, broken: 0 }) };
it('counts a part that throws as broken, shows where, runs the others, and tells the seed', async () => {
  const { exitCode, printed, progress } = await run(
    [
      { name: 'x', run: () => Promise.reject(new Error('no server')) },
      { name: 'y', whyNot: () => 'needs root', run: () => Promise.reject(new Error('unreachable')) },
      fine,
    ],
    '--seed',
    '42',
  );
  expect(exitCode).toBe(1);
  expect(printed).toMatch(/^x +0 +1 {2}Error: no server$/m);
  expect(printed).toMatch(/^y +0 +0 {2}skipped: needs root$/m);
  expect(printed).toMatch(/^first +20,000 +0$/m);
  expect(printed).toContain('seed 42');
  expect(progress).toContain('run-suite.test.ts');
});

it('chooses by a word in the name, and refuses one that is in none with 2', async () => {
  const other: Part<Scene> = { name: 'other', run: () => Promise.reject(new Error('unreachable')) };
  expect((await run([fine, other], 'fir')).exitCode).toBe(0);
  const { exitCode, progress } = await run([fine], 'nothing');
  expect(exitCode).toBe(2);
  expect(progress).toContain('npm run trial -- [word…] [--seed <n>] [--minutes 2] [--quick]');
});
