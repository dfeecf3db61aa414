// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = (...flags: string[]) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), ...flags]);
  return { child, output: text(child.stdout), errors: text(child.stderr), ended: once(child, 'exit') };
};

it('tells how to use it', async () => {
  const { output, ended } = run('--help');
  expect((await ended)[0]).toBe(0);
  expect(await output).toContain('--period-ms');
});

it.each([['--port', 'x'], ['--nonsense']])('refuses %s %s', async (...flags) => {
  const { errors, ended } = run(...flags);
  expect((await ended)[0]).toBe(1);
  expect(await errors).not.toBe('');
});

it('prints where it listens and what to try, and ends when asked', async () => {
  const { child, output, ended } = run('--port', '0', '--chaos', '0.1', '--latency-ms', '1');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  const printed = await output;
  expect(printed).toMatch(/API {4}http:\/\/127\.0\.0\.1:\d+\/api\/v10\nCDN {4}http/);
  expect(printed.match(/^User {3}\d+/gm)).toHaveLength(3);
});
