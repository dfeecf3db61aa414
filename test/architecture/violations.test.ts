import { expect, it } from 'vitest';
import { importProblems } from './import-problems.ts';
import { readImports } from './imports.ts';
import { shapeProblems } from './source-files.ts';

const problemsOf = (sources: Record<string, string>): string[] => {
  const files = new Map(Object.entries(sources));
  return [...importProblems(readImports(files)), ...shapeProblems(files)];
};

it.each([
  ['server/tokens/a.ts', `import { b } from '#server/vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/tokens/a.ts', `import type { B } from '../vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/tokens/a.ts', `const b = await import('#server/vault/b.ts');`, 'may not use server/vault/b.ts'],
  ['server/tokens/a.ts', `import 'package-without-row';`, 'may not use package-without-row'],
  [
    'sandbox/a.ts',
    `import { UserFlags } from 'discord-api-types/v10';`,
    'may only take types of discord-api-types/v10',
  ],
  ['server/platform/a.ts', `import '#sandbox/sandbox.ts';`, 'may not use sandbox/sandbox.ts'],
  [
    'server/lookup/a.ts',
    `import { b } from '#server/platform/http-pool.ts';`,
    'may not use server/platform/http-pool.ts',
  ],
  ['web/features/a/b.ts', `import '../c/d.ts';`, 'may not use web/features/c/d.ts'],
  ['server/tokens/a.ts', `import '../system.ts';`, 'spells ../system.ts wrongly'],
  ['server/tokens/a.ts', 'export class Pool {}', 'has a class'],
  ['server/tokens/a.ts', 'x\n'.repeat(201), 'has more than 200 lines'],
])('the rule is broken: %s: %j %s', (path, code, problem) => {
  expect(problemsOf({ [path]: code })).toEqual([expect.stringContaining(`${path} ${problem}`)]);
});

it('a circle is a problem, of types too', () => {
  const files = {
    'server/tokens/a.ts': `import { b } from './b.ts';`,
    'server/tokens/b.ts': `export type { A } from './a.ts';`,
  };
  expect(problemsOf(files)).toEqual([
    'a circle: server/tokens/a.ts → server/tokens/b.ts → server/tokens/a.ts',
  ]);
});

it('a schema that the browser would load is a problem, but not its type', () => {
  const schema = { 'shared/contract/a.ts': `import { Type } from 'typebox';` };
  const withImport = (kind: string) => ({
    ...schema,
    'web/b.ts': `${kind} { a } from '#shared/contract/a.ts';`,
  });
  expect(problemsOf(withImport('import'))).toEqual(['shared/contract/a.ts brings typebox to the web']);
  expect(problemsOf(withImport('import type'))).toEqual([]);
});

it('a crowded folder is a problem', () => {
  const crowd = Object.fromEntries('abcdefghijklmn'.split('').map((name) => [`web/ui/${name}.tsx`, '']));
  expect(problemsOf({ ...crowd, 'web/ui/z.tsx': '' })).toEqual(['web/ui has more than 14 files']);
});
