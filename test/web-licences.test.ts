import { expect, it } from 'vitest';
import { readImports } from '#test/architecture/imports.ts';
import { readSourceFiles } from '#test/architecture/source-files.ts';
import { startAppProcess } from '#test/support/app-process.ts';

const packages = new Set(
  readImports(readSourceFiles())
    .filter(({ from, file, typeOnly }) => from.startsWith('web/') && file === null && !typeOnly)
    .map(({ specifier }) => specifier.split('/')[0] ?? ''),
).add('scheduler');

it('§232 the licences of all that the browser gets are served beside it', async () => {
  await using app = startAppProcess({});
  const answer = await fetch(`${await app.origin}/licences.txt`);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(packages).toContain('react-dom');
  for (const name of [...packages, 'Figtree'])
    expect(text).toMatch(new RegExp(`^## ${name} .*\\((?:MIT|OFL-1.1)\\)\n\n.*`, 'm'));
  expect(text).toContain('SIL OPEN FONT LICENSE');
  // Later versions have other states and settings.
  expect(text).toContain('## altcha - 2.2.4 (MIT)');
});
