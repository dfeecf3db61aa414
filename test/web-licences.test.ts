import { globSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVED_FONTS } from '#shared/name-styles.ts';
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
  for (const name of [...packages, 'Figtree', 'Typefaces of names'])
    expect(text).toMatch(new RegExp(`^## ${name} .*\\((?:MIT|OFL-1.1)\\)\n\n.*`, 'm'));
  expect(text).toContain('SIL OPEN FONT LICENSE');
  // Later versions have other states and settings.
  expect(text).toContain('## altcha - 2.2.4 (MIT)');
});

const TYPEFACES = 'src/web/features/profile/names/typefaces';

it('the typefaces of names weigh at most 25 kB each, and their licence names their authors', () => {
  const files = globSync('*.woff2', { cwd: TYPEFACES });
  expect(files.toSorted()).toEqual([...SERVED_FONTS].map((font) => `${font}.woff2`));
  for (const file of files) expect(statSync(`${TYPEFACES}/${file}`).size, file).toBeLessThan(25_000);
  const [notices = ''] = readFileSync(`${TYPEFACES}/OFL.txt`, 'utf8').split('\n\n');
  expect(notices.match(/^\w.*: Copyright /gm)).toHaveLength(files.length);
});
