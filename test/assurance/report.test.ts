import { expect, it } from 'vitest';
import { formatReport, runSuite } from './report.ts';

it('counts a suite that throws as broken', async () => {
  const run = () => Promise.reject(new Error('no server'));
  expect(await runSuite({ name: 'x', run }, 1)).toEqual({
    name: 'x',
    count: 0,
    broken: 1,
    note: 'Error: no server',
  });
});

it('gives each suite the seed', async () => {
  const run = async (seed: number) => ({ count: seed, broken: 0 });
  expect(await runSuite({ name: 'x', run }, 7)).toEqual({ name: 'x', count: 7, broken: 0 });
});

it('is one table, with the seed', () => {
  const lines = [
    { name: 'first', count: 20_000, broken: 0 },
    { name: 'the second', count: 5, broken: 1, note: 'because\nof this' },
  ];
  expect(formatReport(lines, 42)).toBe(
    [
      'what         tried  broken  note',
      'first       20,000       0',
      'the second       5       1  because of this',
      '',
      'seed 42',
    ].join('\n'),
  );
});
