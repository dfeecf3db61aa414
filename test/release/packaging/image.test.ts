// @module-tag slow
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { START, startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';
import { layOut, type Layout } from './dockerfile.ts';

const ID = '441997505123577857';
/** Rights do not bind root, so as root we step down to nobody. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const readOnly = (folder: string): void => void spawnSync('chmod', ['-R', 'a-w,a+rX', folder]);
const writable = (folder: string): void => void spawnSync('chmod', ['-R', 'u+w', folder]);
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

describe('what the Dockerfile makes', () => {
  const temporary = temporaryFolder();
  const root = temporary.path;
  const data = join(root, 'data');
  const node = join(root, 'node');
  let image: Layout;
  beforeAll(() => {
    image = layOut(root);
    readOnly(image.folder);
    // A node that nobody can reach, wherever this clone lies.
    copyFileSync(process.execPath, node);
    chmodSync(root, 0o755);
    mkdirSync(data, { mode: 0o777 });
    chmodSync(data, 0o777);
    writeFileSync(join(root, 'bot-tokens'), '');
  });
  afterAll(() => {
    if (image !== undefined) writable(image.folder);
    temporary[Symbol.dispose]();
  });

  const runAs = (args: readonly string[]) => ({ program: node, args, cwd: image.folder, ...user });
  const envAt = (port: number): Record<string, string> => ({
    ...image.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(data, 'data'),
    KEYRING_FILE: join(data, 'keys', 'keyring.json'),
    BOT_TOKENS_FILE: join(root, 'bot-tokens'),
    POW_MAX_NUMBER: '1000',
  });
  const start = (port: number): AppProcess => {
    const [, ...args] = [...image.entrypoint, ...image.command];
    return startAppProcess(envAt(port), runAs(args));
  };
  const checkHealth = (port: number): number | null => {
    const [, ...args] = image.healthcheck;
    const { program, args: all, ...options } = runAs(args);
    return spawnSync(program, all, { ...options, env: envAt(port) }).status;
  };

  it('has what is built and what starts it, and nothing else: no sources, no packages', () => {
    expect(readdirSync(image.folder).toSorted()).toEqual(['.commit', 'bin', 'dist', 'ops', 'package.json']);
  });

  it('starts the server with the options that npm start has', () => {
    expect([...image.entrypoint, ...image.command].filter((word) => word !== '--').join(' ')).toBe(START);
  });

  it('has the operator’s commands, with --env-file for them and not for Node', () => {
    const run = (words: readonly string[]) => {
      const { program, args, ...options } = runAs([...image.entrypoint.slice(1), ...words]);
      return spawnSync(program, args, { ...options, env: envAt(0), encoding: 'utf8' });
    };
    expect(run(['ops', '--env-file=/nowhere', 'status'])).toMatchObject({
      status: EXIT.configuration,
      stderr: expect.stringMatching(/^The settings in \/nowhere cannot be read/),
    });
    const { status, stdout } = run(['ops', 'status', '--json']);
    expect([status, JSON.parse(stdout)]).toMatchObject([
      EXIT.databaseMissing,
      { data_dir: join(data, 'data'), records: null, server: null },
    ]);
  });

  it('serves, as an ordinary user, from a read-only folder, and ends well when it is told to stop', async () => {
    const before = filesIn(image.folder);
    const port = await freePort();
    await using server = start(port);
    const origin = await server.origin;
    // It would open the debugger, and say so.
    server.signal('SIGUSR1');
    const page = await request(origin);
    expect(page.statusCode).toBe(200);
    expect(await page.body.text()).toContain('<h1');
    await using visitors = createVisitors(() => origin);
    const { status, body } = await visitors.next().ask('/lookup', { discord_id: ID });
    expect([status, body['username']]).toEqual([200, 'marlow.finch']);
    expect(checkHealth(port)).toBe(0);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(checkHealth(port)).toBe(1);
    expect(filesIn(image.folder)).toEqual(before);
    expect(filesIn(data)).toEqual(expect.arrayContaining(['data/whoflake.sqlite', 'keys/keyring.json']));
  });
});
