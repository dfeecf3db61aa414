import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type ReadFile = (path: string) => string | undefined;

const readProjectFile: ReadFile = (path) => {
  const file = join(import.meta.dirname, '..', path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** The cells of all rows, without heads and rules. */
const rowsOf = (document: string): string[][] =>
  document
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| +#|^\| -/.test(line))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

/** As they stand in the source, before anything is filled in. */
const titlesIn = (source: string): (string | undefined)[] =>
  [...source.matchAll(/(?:\b(?:it|test)|[\])])\(\s*(['"`])(.+?)\1,/g)].map(([, , title]) => title);

const problemOf = (test: string, read: ReadFile): string | undefined => {
  const [, path = '', title] = /^`(\S+) › ([^`]+)`$/.exec(test) ?? [];
  const source = read(path);
  if (title === undefined) return 'names no test';
  if (source === undefined) return `names a file that does not exist: ${path}`;
  return titlesIn(source).includes(title) ? undefined : `names a test that ${path} does not have: ${title}`;
};

const problemsIn = (document: string, read: ReadFile): string[] =>
  rowsOf(document).flatMap(([number, statement, test = ''], place) => {
    const problem = number === String(place + 1) && statement ? problemOf(test, read) : 'is out of order';
    return problem === undefined ? [] : [`row ${place + 1} ${problem}`];
  });

const DOCUMENT = readProjectFile('test/specification.md') ?? '';

describe('the table of the specification', () => {
  it('names a test that exists for every statement', () => {
    expect(problemsIn(DOCUMENT, readProjectFile)).toEqual([]);
    expect(rowsOf(DOCUMENT).length).toBeGreaterThanOrEqual(160);
  });

  it.each([
    ['| 1 | It is so. | `a.test.ts › is so` |', []],
    ['| 1 | It is so. | `a.test.ts › is %s` |', []],
    ['| 1 | It is so. | |', ['row 1 names no test']],
    ['| 1 | It is so. | `b.test.ts › is so` |', ['row 1 names a file that does not exist: b.test.ts']],
    ['| 1 | It is so. | `a.test.ts › is` |', ['row 1 names a test that a.test.ts does not have: is']],
    ['| 2 | It is so. | `a.test.ts › is so` |', ['row 1 is out of order']],
    ['| 1 | | `a.test.ts › is so` |', ['row 1 is out of order']],
    ['| It is so. | `a.test.ts › is so` |', ['row 1 is out of order']],
  ])('finds what is wrong with %s', (row, problems) => {
    const table = `|   # | statement | test |\n| --: | --- | --- |\n${row}\n`;
    const source = "describe('is', () => {\n  it('is so', so);\n  it.each([1])(\n    'is %s', so);\n});";
    expect(problemsIn(table, (path) => (path === 'a.test.ts' ? source : undefined))).toEqual(problems);
  });
});
