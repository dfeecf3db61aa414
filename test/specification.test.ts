import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Each number that a title begins with: `§3, 12–14 a proof …` is 3, 12, 13 and 14. */
const numbersOf = (title: string): number[] =>
  (/^§(\d[\d–, ]*) /.exec(title)?.[1] ?? '')
    .split(', ')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('–').map(Number);
      return Array.from({ length: last - first + 1 }, (_, place) => first + place);
    });

const titlesIn = (source: string): string[] =>
  [...source.matchAll(/(?:\b(?:it|test)|[\])])\(\s*(['"`])(§.+?)\1,/g)].map(([, , title = '']) => title);

const proved = new Set(
  globSync(['src/**/*.test.ts', 'test/**/*.{test,spec}.ts'], { cwd: ROOT, exclude: ['test/release/**'] })
    .flatMap((file) => titlesIn(read(file)))
    .flatMap(numbersOf),
);
const statements = [...read('test/specification.md').matchAll(/^(\d+)\. .+$/gm)].map(([, number]) =>
  Number(number),
);

it('the specification numbers its statements one after the other', () => {
  expect(statements.length).toBeGreaterThan(200);
  expect(statements).toEqual(statements.map((_, place) => place + 1));
});

it('every statement of the specification has a test in the gate whose title begins with its number', () => {
  expect(statements.filter((number) => !proved.has(number))).toEqual([]);
});

it('no title names a statement that the specification does not have', () => {
  expect([...proved].filter((number) => !statements.includes(number))).toEqual([]);
});
