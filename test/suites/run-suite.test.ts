import { expect, it } from 'vitest';
import { runSuite } from './run-suite.ts';
import { plainSuite, type Part } from './suite.ts';

const OPTIONS = { seed: 0, minutes: 2, quick: false };
type Scene = Readonly<Record<string, number | boolean>>;

const run = async (parts: readonly Part<Scene>[], ...argv: readonly string[]) => {
  const suite = plainSuite<Scene>({
    about: 'Tries things.',
    options: OPTIONS,
    parts: () => parts,
  });
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
const told: Part<Scene> = {
  name: 'the options',
  run: async (options) => ({ count: 5, broken: 0, note: JSON.stringify(options) }),
};

it('reports in one table, with the seed', async () => {
  const several: Part<Scene> = {
    name: 'several',
    run: async () => [{ name: 'the second', count: 5, broken: 1, note: 'because\nof this' }],
  };
  const { exitCode, printed } = await run([fine, several], '--seed', '42');
  expect(exitCode).toBe(1);
  expect(printed).toBe(
    [
      '',
      'what         tried  broken  note',
      'first       20,000       0',
      'the second       5       1  because of this',
      '',
      'seed 42',
      '',
    ].join('\n'),
  );
});

it('counts a part that throws as broken, shows where, and runs the others', async () => {
  const { exitCode, printed, progress } = await run([
    { name: 'x', run: () => Promise.reject(new Error('no server')) },
    { name: 'y', whyNot: () => 'needs root', run: () => Promise.reject(new Error('unreachable')) },
    fine,
  ]);
  expect(exitCode).toBe(1);
  expect(printed).toMatch(/^x +0 +1 {2}Error: no server$/m);
  expect(printed).toMatch(/^y +0 +0 {2}skipped: needs root$/m);
  expect(printed).toContain('20,000');
  expect(progress).toContain('run-suite.test.ts');
});

it.each([
  [['--seed', '7', '--quick'], { seed: 7, minutes: 2, quick: true }],
  [['--seed', '7', '--minutes', '0.5', 'options'], { seed: 7, minutes: 0.5, quick: false }],
])('%j are its options', async (argv, options) => {
  expect((await run([told], ...argv)).printed).toContain(JSON.stringify(options));
});

it('chooses by a word in the name', async () => {
  const { exitCode, printed } = await run([fine, told], 'fir');
  expect([exitCode, printed.includes('the options')]).toEqual([0, false]);
});

it.each([[['nothing']], [['--help']], [['--minutes', 'many']]])('refuses %j with 2', async (argv) => {
  const { exitCode, progress } = await run([fine], ...argv);
  expect(exitCode).toBe(2);
  expect(progress).toContain('npm run trial -- [word…] [--seed <n>] [--minutes 2] [--quick]');
});
