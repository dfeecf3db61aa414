import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';

const codeIn = (html: string): string =>
  (/<pre[^>]*>([^]*?)<\/pre>/.exec(html)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

it('the page for programmers leads to every route, tells the limits, and its example looks somebody up', async () => {
  const port = String(await freePort());
  await using app = startAppProcess({ PORT: port, POW_MAX_NUMBER: '1000', LOOKUPS_PER_MINUTE: '17' });
  const origin = await app.origin;
  const page = await (await fetch(`${origin}/de/api`)).text();
  expect(page).toContain('href="/openapi.json"');
  expect(page).toContain('Suchen pro Minute: 17');
  expect(codeIn(page).split('\n').length).toBeLessThan(26);

  const [, command = ''] = />node lookup\.mjs ([^<]+)</.exec(page) ?? [];
  const args = command.split(' ');
  const example = spawn(process.execPath, ['--input-type=module', '--eval', codeIn(page), '-', ...args]);
  const [said] = await Promise.all([text(example.stdout), once(example, 'close')]);
  expect(said).toMatch(/^200 \{/);
  expect(said).toContain("username: 'marlow.finch'");
});
