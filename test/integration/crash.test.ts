// @module-tag slow
import { join } from 'node:path';
import { request } from 'undici';
import { expect, it, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { readStoredTokens } from '#test/fuzz/stored-tokens.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { solveAt, visit } from './visitor.ts';

const ID = '441997505123577857';
const PRELOAD = join(import.meta.dirname, 'throw-on-signal.mjs');

const startSite = async (from: string) => {
  const [folder, sandbox] = [temporaryFolder(), createSandbox()];
  const { cdnUrl } = await sandbox.listen();
  const env = {
    DATA_DIR: join(folder.path, 'data'),
    ADMIN_PORT: String(await freePort()),
    DISCORD_API_URL: `${cdnUrl}/api/v10`,
    DISCORD_CDN_URL: cdnUrl,
    POW_MAX_NUMBER: '1000',
    NODE_OPTIONS: `--import=${PRELOAD}`,
    THROW_FROM: from,
  };
  return {
    sandbox,
    env,
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      folder[Symbol.dispose]();
    },
  };
};

const donateAt = async (origin: string, token: string): Promise<number> => {
  const { statusCode } = await request(`${origin}/donate-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, proof: await solveAt(origin) }),
  });
  return statusCode;
};

const ORIGINS = ['timer', 'rejection', 'stream', 'worker', 'database callback'];
it.each(ORIGINS)('what is thrown from a %s ends the process in order, and nothing is lost', async (from) => {
  await using site = await startSite(from);
  {
    await using server = startAppProcess(site.env);
    const origin = await server.origin;
    expect(await donateAt(origin, site.sandbox.mintToken(1))).toBe(201);
    site.sandbox.faults.set({ latencyMs: 60_000 });
    const waiting = visit(origin, { id: ID, proof: await solveAt(origin) });
    await vi.waitFor(
      async () =>
        expect(await (await request(`http://127.0.0.1:${site.env.ADMIN_PORT}/readyz`)).body.text()).toContain(
          '"in_flight":1',
        ),
      EVENTUALLY,
    );
    server.signal('SIGUSR2');
    const { status, headers, body } = await waiting.answer;
    expect([status, headers['retry-after'], body]).toEqual([503, '2', expect.stringContaining('overloaded')]);
    expect((await server.ended).exitCode).toBe(1);
    expect(server.output()).toMatch(/"event":"crashed","name":"TypeError".*"frames":\["at /);
    expect(server.output()).not.toContain('Canary of a crash');
  }
  const { kept, unreadable } = await readStoredTokens(site.env.DATA_DIR);
  expect([[...kept], unreadable]).toEqual([[site.sandbox.mintToken(1)], 0]);
});

it('what is thrown from an admin handler is answered, and ends nothing', async () => {
  await using site = await startSite('admin handler');
  await using server = startAppProcess(site.env);
  const origin = await server.origin;
  const ask = async () => (await request(`http://127.0.0.1:${site.env.ADMIN_PORT}/metrics`)).statusCode;
  expect(await ask()).toBe(200);
  server.signal('SIGUSR2');
  await vi.waitFor(async () => expect(await ask()).toBe(503), EVENTUALLY);
  expect(server.output()).toContain('"event":"request-failed"');
  expect((await request(`${origin}/healthz`)).statusCode).toBe(200);
});
