import { describe, expect, it } from 'vitest';
import { circlesOf } from './circles.ts';
import { importProblems, rowOf } from './import-problems.ts';
import { MAY_USE } from './import-rule.ts';
import { readImports } from './imports.ts';
import { isTest, readSourceFiles, shapeProblems } from './source-files.ts';

const files = readSourceFiles();
const paths = [...files.keys()];

const filesWith = (pattern: RegExp, folder: RegExp): string[] =>
  paths.filter((path) => folder.test(path) && !isTest(path) && pattern.test(files.get(path) ?? ''));

describe('the sources', () => {
  it('follow the import rule and the limits of their shape', () => {
    const imports = readImports(files);
    expect(imports.length).toBeGreaterThan(500);
    expect([...importProblems(imports), ...shapeProblems(files)]).toEqual([]);
  });

  it('have no index and no drawer for odds and ends', () => {
    const drawers = /(?:^|\/)(?:index|utils?|helpers?|common|misc|lib)(?:\/|\.tsx?$)/;
    expect('web/utils/text.ts').toMatch(drawers);
    expect(paths.filter((path) => drawers.test(path))).toEqual([]);
  });

  it('take the time from the system clock', () => {
    const readers = filesWith(/new Date\(\)|Date\(\)|process\.hrtime/, /^(?:server|cli)\//);
    expect(readers.filter((path) => !path.startsWith('server/observability/'))).toEqual([]);
  });

  it('evaluate no text as code, and put no HTML into a page as text but for the settings that the server renders', () => {
    expect(filesWith(/\beval\(|new Function\(/, /^/)).toEqual([]);
    const raw = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/;
    expect(filesWith(raw, /^web\//)).toEqual(['web/entry-render.tsx']);
  });
});

it('each source file has a row in the import rule, each row a file', () => {
  expect(new Set([...files.keys()].map(rowOf))).toEqual(new Set(Object.keys(MAY_USE)));
});

it('the import rule itself has no circle', () => {
  const uses = Object.entries(MAY_USE).flatMap(([row, names]) =>
    names.map((name) => [row, name in MAY_USE ? name : (rowOf(name) ?? name)] as const),
  );
  expect(circlesOf(uses.filter(([row, used]) => row !== used))).toEqual([]);
});
