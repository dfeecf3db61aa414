import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SERVER_ARGS, startAppProcess } from '#test/support/app-process.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { startOps } from '#test/support/ops-process.ts';
import { startPlatform } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CLONE = join(import.meta.dirname, '../../..');

describe('a stranger’s .env in the current folder', () => {
  it('gets no stored token from a command', async () => {
    // Commands are run in it.
    using folder = temporaryFolder();
    const site = { DATA_DIR: folder.path, ADMIN_PORT: '1' };
    await using platform = await startPlatform();
    await startOps(['init'], { env: site }).ended;
    const added = startOps(['tokens', 'add'], {
      env: { ...site, ...platform.env },
      input: platform.sandbox.mintToken(1),
    });
    expect((await added.ended).exitCode).toBe(0);

    const received: unknown[] = [];
    await using trap = await startHttpServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.end('{}');
    });
    const address = trap.url;
    writeFileSync(join(folder.path, '.env'), `DISCORD_API_URL=${address}\nDISCORD_CDN_URL=${address}\n`);
    for (const command of [['tokens', 'check'], ['doctor'], ['config', 'check', '--json']])
      expect((await startOps(command, { env: site }).ended).stdout).not.toContain(address);
    expect(received).toEqual([]);
  });

  it('is not read by the server', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, '.env'), 'LOG_LEVEL=loud\n');
    const command = { program: process.execPath, args: SERVER_ARGS, cwd: folder.path };
    await using server = startAppProcess({}, command);
    expect((await fetch(`${await server.origin}/healthz`)).status).toBe(200);
  });
});

it('the .env beside the program is read from anywhere, unless others can write to it', () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  for (const part of ['bin', 'package.json', 'dist/server'])
    cpSync(join(CLONE, part), at(part), { recursive: true });
  writeFileSync(at('.env'), 'LOG_LEVEL=warn\n', { mode: 0o600 });
  const check = () => {
    const env = { PATH: process.env['PATH'], HOME: elsewhere.path };
    const options = { cwd: elsewhere.path, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [at('bin/ops'), 'config', 'check'],
      options,
    );
    return [status, stdout + stderr];
  };
  expect(check()).toEqual([0, `The settings from ${at('.env')} are all valid.\n`]);
  chmodSync(at('.env'), 0o666);
  expect(check()).toEqual([
    78,
    `The settings in ${at('.env')} cannot be read: others can write to it; run chmod go-w on it.\n`,
  ]);
});
