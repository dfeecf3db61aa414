// @module-tag slow
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { expect, it, vi } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { askUntilTaken, prepareSite } from '#test/support/process-site.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';

/** In the place of systemd's own, which talks to nobody but systemd. */
const SYSTEMD_NOTIFY = '#!/bin/sh\necho "$NOTIFY_SOCKET $* $BOT_TOKENS" >> "${0%/*}/told"\n';

const statusOf = async (url: string): Promise<number> => {
  const { statusCode, body } = await request(url);
  await body.dump();
  return statusCode;
};

it('SIGHUP takes over good settings and no wrong ones, SIGTERM answers what is under way, and systemd is told', async () => {
  await using site = await prepareSite();
  const { sandbox, folder } = site;
  const [settingsFile, tokensFile] = [join(folder, 'site.env'), join(folder, 'bot-tokens')];
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, SYSTEMD_NOTIFY);
  chmodSync(program, 0o755);
  const told = (): string => readFileSync(join(folder, 'told'), 'utf8');
  const set = (lines: string): void => writeFileSync(settingsFile, `BOT_TOKENS_FILE=${tokensFile}\n${lines}`);
  const setTokens = (...numbers: readonly number[]): void =>
    writeFileSync(tokensFile, numbers.map(sandbox.mintToken).join('\n'));
  set('LOOKUPS_PER_MINUTE=20\n');
  setTokens(1, 2);
  const env = { WHOFLAKE_ENV_FILE: settingsFile, NOTIFY_SOCKET: '@socket', PATH: folder };
  await using server = startAppProcess({ ...site.env, ...env });
  const origin = await server.origin;
  const healthyTokens = async (): Promise<number> =>
    JSON.parse((await site.readAdmin('/readyz')).text).pool.healthy;
  const heeded = () => server.output().match(/^.*"event":"settings-(?:reloaded|refused)".*$/gm) ?? [];
  const hangUp = async (): Promise<string | undefined> => {
    const before = heeded().length;
    server.signal('SIGHUP');
    await vi.waitFor(() => expect(heeded()).toHaveLength(before + 1), EVENTUALLY);
    return heeded().at(-1);
  };
  await vi.waitFor(() => expect(told()).toBe('@socket READY=1 \n'), EVENTUALLY);
  expect(await healthyTokens()).toBe(2);

  setTokens(2, 3, 4);
  const good = 'LOOKUPS_PER_MINUTE=1\nLOOKUPS_PER_DAY=250\nPORT=1\nBRAND_NAME=Other\n';
  set(good);
  expect(await hangUp()).toContain(
    '"changed":["LOOKUPS_PER_MINUTE","LOOKUPS_PER_DAY"],"tokensAdded":2,"tokensRemoved":1,',
  );
  expect(await healthyTokens()).toBe(3);
  const challenges = [await statusOf(`${origin}/challenge`), await statusOf(`${origin}/challenge`)];
  expect(challenges).toEqual([200, 429]);
  // PORT comes from the environment, which wins over the file.
  expect(server.output()).toContain('"event":"restart-needed","settings":["BRAND_NAME"],');

  for (const [spoil, problem] of [
    [() => set('LOOKUPS_PER_MINUTE=many\n'), /settings-refused.*LOOKUPS_PER_MINUTE: expected/],
    [
      () => set('BOT_TOKENS_FILE=/dev/null\nBOT_TOKENS=mfa.not-to-be-logged\n'),
      /settings-refused.*BOT_TOKENS/,
    ],
    [() => rmSync(settingsFile), /settings-refused.*cannot be read/],
  ] as const) {
    spoil();
    const line = await hangUp();
    expect(line).toMatch(problem);
    expect(line).not.toContain('not-to-be-logged');
    expect(await healthyTokens()).toBe(3);
  }

  set('LOOKUPS_PER_MINUTE=200\nLOG_LEVEL=silent\n');
  const said = server.output().length;
  server.signal('SIGHUP');
  await vi.waitFor(async () => expect(await statusOf(`${origin}/challenge`)).toBe(200), EVENTUALLY);
  sandbox.faults.set({ latencyMs: 600 });
  await using visitors = createVisitors(() => origin);
  const answer = askUntilTaken(visitors, '/lookup', { discord_id: '441997505123577857' });
  // The sandbox counts a request at half of its latency.
  await vi.waitFor(() => expect(sandbox.stats().requests).toBe(1), EVENTUALLY);
  server.signal('SIGTERM');
  expect((await answer).status).toBe(200);
  expect((await server.ended).exitCode).toBe(0);
  await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(told()).toBe('@socket READY=1 \n@socket STOPPING=1 \n');
  expect(server.output().slice(said)).toBe('');
  for (const n of [1, 2, 3, 4]) expect(server.output()).not.toContain(sandbox.mintToken(n));
});

/** From its first line on; before that no program can. */
const handlesHangup = (pid: number): boolean => {
  if (process.platform !== 'linux') return true;
  const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${caught}`) & 1n) === 1n;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('SIGHUP does no harm while a server starts, nor does a missing systemd-notify, nor a log that nobody reads', async () => {
  const port = await freePort();
  await using server = startAppProcess({ PORT: `${port}`, NOTIFY_SOCKET: '@socket', PATH: '/nowhere' });
  await vi.waitFor(() => expect(handlesHangup(server.pid)).toBe(true), { ...EVENTUALLY, interval: 1 });
  for (let n = 0; n < 50; n += 1) server.signal('SIGHUP');
  const origin = await server.origin;
  for (let n = 0; n < 50; n += 1) server.signal('SIGHUP');
  for (const event of ['settings-reloaded', 'notify-failed'])
    await vi.waitFor(() => expect(server.output()).toContain(`"event":"${event}"`), EVENTUALLY);
  // Each hang-up logs a line of some 150 bytes; the buffers between two processes hold about 200 kB.
  server.pauseReading();
  for (let n = 0; n < 2_000; n += 1) {
    server.signal('SIGHUP');
    await pause(1);
  }
  expect(await statusOf(`${origin}/healthz`)).toBe(200);
  server.signal('SIGTERM');
  await vi.waitFor(() => expect(isRunning(server.pid)).toBe(false), EVENTUALLY);
});
