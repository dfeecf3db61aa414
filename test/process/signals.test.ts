// @module-tag slow
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { prepareSite } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const startSite = async (lines: string) => {
  const site = await prepareSite();
  const { sandbox, folder } = site;
  const settingsFile = join(folder, 'site.env');
  const tokensFile = join(folder, 'bot-tokens');
  const set = (more: string): void => writeFileSync(settingsFile, `BOT_TOKENS_FILE=${tokensFile}\n${more}`);
  const setTokens = (numbers: readonly number[]): void =>
    writeFileSync(tokensFile, numbers.map(sandbox.mintToken).join('\n'));
  set(lines);
  setTokens([1, 2]);
  const server = startAppProcess({ ...site.env, WHOFLAKE_ENV_FILE: settingsFile });
  const origin = await server.origin;
  await vi.waitFor(() => expect(server.output()).toContain('"event":"listening"'), EVENTUALLY);
  let heeded = 0;
  return {
    server,
    sandbox,
    origin,
    set,
    setTokens,
    settingsFile,
    hangUp: async () => {
      heeded += 1;
      server.signal('SIGHUP');
      const lines = () => server.output().match(/"event":"settings-(?:reloaded|refused)"/g) ?? [];
      await vi.waitFor(() => expect(lines()).toHaveLength(heeded), EVENTUALLY);
    },
    healthyTokens: async (): Promise<number> =>
      JSON.parse((await site.readAdmin('/readyz')).text).pool.healthy,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
};

const challengeStatuses = async (origin: string, count: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { statusCode, body } = await request(`${origin}/challenge`);
    await body.dump();
    statuses.push(statusCode);
  }
  return statuses;
};

/** From its first line on; before that no program can. */
const handlesHangup = (pid: number): boolean => {
  if (process.platform !== 'linux') return true;
  const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${caught}`) & 1n) === 1n;
};

describe('SIGHUP', () => {
  it('takes over tokens, allowances and log level, and names what needs a restart', async () => {
    await using site = await startSite('LOOKUPS_PER_MINUTE=20\n');
    expect(await site.healthyTokens()).toBe(2);
    site.setTokens([2, 3, 4]);
    site.set('LOOKUPS_PER_MINUTE=1\nLOOKUPS_PER_DAY=250\nPORT=1\nBRAND_NAME=Other\n');
    await site.hangUp();
    expect(await site.healthyTokens()).toBe(3);
    expect(await challengeStatuses(site.origin, 2)).toEqual([200, 429]);
    expect(site.server.output()).toContain(
      '"event":"settings-reloaded","changed":["LOOKUPS_PER_MINUTE","LOOKUPS_PER_DAY"],"tokensAdded":2,"tokensRemoved":1,',
    );
    // PORT comes from the environment, which wins over the file.
    expect(site.server.output()).toContain('"event":"restart-needed","settings":["BRAND_NAME"],');

    site.set('LOOKUPS_PER_MINUTE=200\nLOG_LEVEL=silent\n');
    const said = site.server.output().length;
    site.server.signal('SIGHUP');
    await vi.waitFor(async () => expect(await challengeStatuses(site.origin, 1)).toEqual([200]), EVENTUALLY);
    site.server.signal('SIGTERM');
    expect((await site.server.ended).exitCode).toBe(0);
    expect(site.server.output().slice(said)).toBe('');
    for (const n of [1, 2, 3, 4]) expect(site.server.output()).not.toContain(site.sandbox.mintToken(n));
  });

  it('changes nothing with a wrong value, a wrong token or no settings file', async () => {
    await using site = await startSite('LOOKUPS_PER_MINUTE=200\n');
    site.setTokens([]);
    const good = readFileSync(site.settingsFile, 'utf8');
    for (const [spoil, problem] of [
      [() => site.set('LOOKUPS_PER_MINUTE=many\n'), /LOOKUPS_PER_MINUTE: expected/],
      [() => site.set('BOT_TOKENS_FILE=/dev/null\nBOT_TOKENS=mfa.not-to-be-logged\n'), /BOT_TOKENS/],
      [() => rmSync(site.settingsFile), /cannot be read/],
    ] as const) {
      spoil();
      await site.hangUp();
      const line = site.server
        .output()
        .match(/^.*"event":"settings-refused".*$/gm)
        ?.at(-1);
      expect(line).toMatch(problem);
      expect(line).not.toContain('not-to-be-logged');
      expect(await site.healthyTokens()).toBe(2);
      expect(await challengeStatuses(site.origin, 30)).not.toContain(429);
    }
    writeFileSync(site.settingsFile, good);
    await site.hangUp();
    expect(await site.healthyTokens()).toBe(0);
  });

  it('does no harm however often it comes, nor while the server starts', async () => {
    await using server = startAppProcess({});
    await vi.waitFor(() => expect(handlesHangup(server.pid)).toBe(true), { ...EVENTUALLY, interval: 1 });
    for (let n = 0; n < 50; n += 1) server.signal('SIGHUP');
    const origin = await server.origin;
    for (let n = 0; n < 50; n += 1) server.signal('SIGHUP');
    await vi.waitFor(() => expect(server.output()).toContain('settings-reloaded'), EVENTUALLY);
    expect((await request(`${origin}/healthz`)).statusCode).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, stderr: '' });
  });
});

it('SIGTERM ends a server whose log nobody ever read', async () => {
  const port = await freePort();
  await using server = startAppProcess({ PORT: String(port) });
  server.stopReading();
  const isHealthy = async () => (await request(`http://127.0.0.1:${port}/healthz`)).statusCode;
  await vi.waitFor(async () => expect(await isHealthy()).toBe(200), EVENTUALLY);
  server.signal('SIGHUP');
  expect(await isHealthy()).toBe(200);
  server.signal('SIGTERM');
  expect((await server.ended).exitCode).toBe(0);
});

describe('under systemd', () => {
  /** In the place of systemd's own, which talks to nobody but systemd. */
  const PROGRAM = '#!/bin/sh\necho "$NOTIFY_SOCKET $* $BOT_TOKENS" >> "${0%/*}/told"\n';

  it('the server says that it is ready once it listens, and that it stops', async () => {
    using folder = temporaryFolder();
    const program = join(folder.path, 'systemd-notify');
    writeFileSync(program, PROGRAM);
    chmodSync(program, 0o755);
    const told = (): string => readFileSync(join(folder.path, 'told'), 'utf8');
    const token = createSandbox().mintToken(1);
    await using server = startAppProcess({ NOTIFY_SOCKET: '@socket', PATH: folder.path, BOT_TOKENS: token });
    const origin = await server.origin;
    await vi.waitFor(() => expect(told()).toBe('@socket READY=1 \n'), EVENTUALLY);
    expect((await request(`${origin}/healthz`)).statusCode).toBe(200);
    server.signal('SIGTERM');
    expect((await server.ended).exitCode).toBe(0);
    expect(told()).toBe('@socket READY=1 \n@socket STOPPING=1 \n');
  });

  it('a missing systemd-notify is told of and stops nothing', async () => {
    await using server = startAppProcess({ NOTIFY_SOCKET: '@socket', PATH: '/nowhere' });
    const origin = await server.origin;
    await vi.waitFor(() => expect(server.output()).toContain('"event":"notify-failed"'), EVENTUALLY);
    expect((await request(`${origin}/healthz`)).statusCode).toBe(200);
  });
});
