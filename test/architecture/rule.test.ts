import { expect, it } from 'vitest';
import { circlesOf } from './circles.ts';
import { importProblems, rowOf } from './import-problems.ts';
import { MAY_USE } from './import-rule.ts';
import { readImports } from './imports.ts';
import { shapeProblems } from './shape-problems.ts';
import { readSourceFiles } from './source-files.ts';

const files = readSourceFiles();
const imports = readImports(files);

it('the sources follow the import rule and the limits of their shape', () => {
  expect(imports.length).toBeGreaterThan(500);
  expect([...importProblems(imports), ...shapeProblems(files)]).toEqual([]);
});

it('each file has a row in the rule, each row a file', () => {
  expect(new Set([...files.keys()].map(rowOf))).toEqual(new Set(Object.keys(MAY_USE)));
});

it('the rule itself has no circle', () => {
  const uses = Object.entries(MAY_USE).flatMap(([row, names]) =>
    names.map((name) => [row, name in MAY_USE ? name : (rowOf(name) ?? name)] as const),
  );
  expect(circlesOf(uses.filter(([row, used]) => row !== used))).toEqual([]);
});
