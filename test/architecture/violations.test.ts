import { expect, it } from 'vitest';
import { importProblems } from './import-problems.ts';
import { readImports } from './imports.ts';
import { shapeProblems } from './source-files.ts';

const problemsOf = (sources: Record<string, string>): string[] => {
  const files = new Map(Object.entries(sources));
  return [...importProblems(readImports(files)), ...shapeProblems(files)];
};

it.each([
  ['server/pool/a.ts', `import { b } from '#server/vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/pool/a.ts', `import {\n  b,\n} from '#server/vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/pool/a.ts', `import type { B } from '../vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/pool/a.ts', `export * from '#server/vault/b.ts';`, 'may not use server/vault/b.ts'],
  ['server/pool/a.ts', `const b = await import('#server/vault/b.ts');`, 'may not use server/vault/b.ts'],
  ['server/pool/a.ts', `import '#server/app.ts';`, 'may not use server/app.ts'],
  ['server/pool/a.ts', `import './a.test.ts';`, 'may not use server/pool/a.test.ts'],
  ['server/pool/a.ts', `import '#test/support/b.ts';`, 'may not use #test/support/b.ts'],
  ['server/pool/a.ts', `import process from 'node:process';`, 'may not use node:process'],
  ['server/pool/a.ts', `import 'package-without-row';`, 'may not use package-without-row'],
  ['server/folder-without-row/a.ts', `import '#server/system.ts';`, 'may not use server/system.ts'],
  ['server/lookup/a.ts', `import { request } from 'undici';`, 'may not use undici'],
  [
    'sandbox/a.ts',
    `import { UserFlags } from 'discord-api-types/v10';`,
    'may only take types of discord-api-types/v10',
  ],
  ['server/platform/a.ts', `import '#sandbox/sandbox.ts';`, 'may not use sandbox/sandbox.ts'],
  [
    'server/lookup/a.ts',
    `import type { A } from '#server/platform/discord-client.ts';`,
    'may not use server/platform/discord-client.ts',
  ],
  [
    'server/lookup/a.ts',
    `import { b } from '#server/platform/http-pool.ts';`,
    'may not use server/platform/http-pool.ts',
  ],
  ['web/features/a/b.ts', `import '../c/d.ts';`, 'may not use web/features/c/d.ts'],
  ['server/pool/a.ts', `import '../system.ts';`, 'spells ../system.ts wrongly'],
  ['server/pool/a.ts', `import '#server/pool/b.ts';`, 'spells #server/pool/b.ts wrongly'],
  ['server/pool/a.ts', 'export class Pool {}', 'has a class'],
  ['server/pool/a.ts', 'x\n'.repeat(201), 'has more than 200 lines'],
])('%s: %j %s', (path, code, problem) => {
  expect(problemsOf({ [path]: code })).toEqual([expect.stringContaining(`${path} ${problem}`)]);
});

it.each([`import { b } from './b.ts';`, `import type { B } from './b.ts';`])('a circle: %s', (code) => {
  const files = { 'server/pool/a.ts': code, 'server/pool/b.ts': `export type { A } from './a.ts';` };
  expect(problemsOf(files)).toEqual(['a circle: server/pool/a.ts → server/pool/b.ts → server/pool/a.ts']);
});

it('a schema that the browser would load', () => {
  const schema = { 'shared/contract/a.ts': `import { Type } from 'typebox';` };
  const brought = 'shared/contract/a.ts brings typebox to the web';
  expect(problemsOf({ ...schema, 'web/b.ts': `import { a } from '#shared/contract/a.ts';` })).toEqual([
    brought,
  ]);
  expect(problemsOf({ ...schema, 'web/b.ts': `import type { A } from '#shared/contract/a.ts';` })).toEqual(
    [],
  );
});

it('a crowded folder, tests and style sheets not counted', () => {
  const crowd = Object.fromEntries('abcdefghijklmn'.split('').map((name) => [`web/ui/${name}.tsx`, '']));
  expect(problemsOf({ ...crowd, 'web/ui/a.test.ts': '', 'web/ui/a.module.css': '' })).toEqual([]);
  expect(problemsOf({ ...crowd, 'web/ui/z.tsx': '' })).toEqual(['web/ui has more than 14 files']);
});

it.each([
  [
    'server/lookup/a.ts',
    `import { b } from '#server/pool/b.ts';\nimport './c.ts';\nimport '#server/system.ts';`,
  ],
  ['server/pool/a.test.ts', `import '#test/support/b.ts';\nimport 'undici';`],
  ['server/a-error.ts', 'export class AError extends Error {}'],
])('%s: %j is allowed', (path, code) => expect(problemsOf({ [path]: code })).toEqual([]));
