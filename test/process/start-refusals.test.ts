// @module-tag slow
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { configOf } from '#test/support/well-formed.ts';

const data = temporaryFolder();
beforeAll(async () => {
  await using test = await startTestApp({ tokens: 0, dataDir: data.path });
  expect((await donate(test, test.sandbox.mintToken(1))).status).toBe(201);
});
afterAll(() => data[Symbol.dispose]());

/** Every file with its rights and its bytes; the lock, which is empty, may be made. */
const snapshot = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== 'server.lock')
    .map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).mode, readFileSync(path, 'base64')];
    });

it.each([
  ['keyring.json', 70, /is missing.*put it back/],
  [
    'whoflake.sqlite',
    80,
    /The database in .* is missing, but there has been one: is the disk .* mounted\? If so, run ops restore <file>, or start/,
  ],
])(
  'a site with a sealed token does not start without its %s, says why in one sentence and changes no file',
  async (name, exitCode, sentence) => {
    using folder = temporaryFolder();
    cpSync(data.path, folder.path, { recursive: true });
    rmSync(join(folder.path, name));
    const before = snapshot(folder.path);
    const opening = openRecords(configOf({ DATA_DIR: folder.path }), realSystem);
    const message = expect.stringMatching(new RegExp(`^.*${sentence.source}.*$`));
    await expect(opening).rejects.toMatchObject({ exitCode, message });
    expect(snapshot(folder.path)).toEqual(before);
  },
);

const DISCORD = {
  PLATFORM: 'discord',
  DISCORD_API_URL: 'http://127.0.0.1:9',
  DISCORD_CDN_URL: 'http://127.0.0.1:9',
  CONTACT_EMAIL: 'hello@example.org',
  PAYMENT_URL: 'https://example.org/',
};

it('a second server on the same data does not start, says so, and may once the first was killed', async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  cpSync(data.path, folder.path, { recursive: true });
  const env = { DATA_DIR: folder.path, PORT: String(await freePort()), ...DISCORD };
  const listens = ({ output }: AppProcess) =>
    vi.waitFor(() => expect(output()).toContain('"event":"listening"'), EVENTUALLY);
  {
    await using first = startAppProcess(env);
    await listens(first);
    await using second = startAppProcess(env);
    expect(await second.ended).toEqual({
      exitCode: 79,
      stderr: `Whoflake could not start. A server is already running on ${folder.path}: stop it first, or set another DATA_DIR.\n`,
    });
    const command = await startOps(['tokens', 'list', '--json'], { env }).ended;
    expect(command).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"opens": true') });
    expect(first.output().match(/keyring-beside-database/g)).toHaveLength(1);
    first.signal('SIGKILL');
    await first.ended;
  }
  const keyring = join(elsewhere.path, 'ring');
  renameSync(join(folder.path, 'keyring.json'), keyring);
  await using again = startAppProcess({ ...env, KEYRING_FILE: keyring });
  await listens(again);
  // What the keyring opens is from the sandbox.
  expect(again.output()).toContain('"event":"tokens-of-other-platform","count":1');
  expect(again.output()).not.toContain('keyring-beside-database');
});

it('a server whose port is in use does not start, and says which', async () => {
  await using other = await startHttpServer(() => {});
  await using process = startAppProcess({ PORT: String(other.port) });
  expect(await process.ended).toEqual({
    exitCode: 82,
    stderr: `Whoflake could not start. Port ${other.port} is in use: choose another with PORT or ADMIN_PORT.\n`,
  });
});

it('a server with a wrong configuration does not start, and names every problem at once without its secrets', async () => {
  const token = 'mfa.a-secret-that-must-not-be-printed';
  const wrong = { PORT: '99999', PLATFORM: 'elsewhere', BOT_TOKENS: token };
  await using process = startAppProcess(wrong);
  const { exitCode, stderr } = await process.ended;
  expect(exitCode).toBe(78);
  for (const name of Object.keys(wrong)) expect(stderr).toMatch(new RegExp(`^  ${name}\\b.*: `, 'm'));
  expect(stderr).not.toContain(token);
});
