// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the sandbox prints where it listens and what to try, and ends when asked', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const flags = ['--port', '0', '--chaos', '0.1'];
  const child = spawn(process.execPath, [main, ...flags]);
  const [output, ended] = [text(child.stdout), once(child, 'exit')];
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  const printed = await output;
  expect(printed).toMatch(/API {4}http:\/\/127\.0\.0\.1:\d+\/api\/v10\nCDN {4}http/);
  expect(printed.match(/^User {3}\d+/gm)).toHaveLength(3);
});
