import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';

const codesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<pre[^>]*>([^]*?)<\/pre>/g)].map(([, code = '']) =>
    code
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#x27;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  );

const run = async (program: string, args: readonly string[]): Promise<string> => {
  const example = spawn(program, args);
  const [said] = await Promise.all([text(example.stdout), once(example, 'close')]);
  return said;
};

it('the page for programmers leads to every route, tells the limits, and its examples look somebody up', async (test) => {
  const port = String(await freePort());
  await using app = startAppProcess({ PORT: port, POW_MAX_NUMBER: '1000', LOOKUPS_PER_MINUTE: '17' });
  const origin = await app.origin;
  const page = await (await fetch(`${origin}/de/api`)).text();
  expect(page).toContain('href="/openapi.json"');
  expect(page).toContain('Suchen pro Minute: 17');
  const [node = '', python = ''] = codesIn(page);

  const [, args = ''] = />node lookup\.mjs ([^<]+)</.exec(page) ?? [];
  const said = await run(process.execPath, ['--input-type=module', '--eval', node, '-', ...args.split(' ')]);
  expect(said).toMatch(/^200 \{/);
  expect(said).toContain("username: 'marlow.finch'");

  expect(page).toContain(`>python3 lookup.py ${args}<`);
  test.skip(spawnSync('python3', ['--version']).status !== 0, 'There is no Python here.');
  expect(await run('python3', ['-c', python, ...args.split(' ')])).toContain("'username': 'marlow.finch'");
});
