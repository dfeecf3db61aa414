// @module-tag slow
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, it, vi } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { askUntilTaken, prepareSite } from '#test/support/process-site.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';

/** In the place of systemd's own, which talks to nobody but systemd. */
const SYSTEMD_NOTIFY = '#!/bin/sh\necho "$NOTIFY_SOCKET $* $BOT_TOKENS" >> "${0%/*}/told"\n';

it.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s answers what is under way, systemd is told, and only a server that listened was running',
  async (signal) => {
    await using site = await prepareSite();
    const { sandbox, folder } = site;
    const program = join(folder, 'systemd-notify');
    writeFileSync(program, SYSTEMD_NOTIFY);
    chmodSync(program, 0o755);
    const told = (): string => readFileSync(join(folder, 'told'), 'utf8');
    const [tokensFile, runMark] = [join(folder, 'bot-tokens'), join(site.env.DATA_DIR, 'server.running')];
    writeFileSync(tokensFile, [1, 2].map(sandbox.mintToken).join('\n'));
    const env = { ...site.env, BOT_TOKENS_FILE: tokensFile, NOTIFY_SOCKET: '@socket', PATH: folder };
    await using failed = startAppProcess({ ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect((await failed.ended).exitCode).toBe(EXIT.databaseUnreachable);
    expect(existsSync(runMark)).toBe(false);
    await using server = startAppProcess(env);
    const origin = await server.origin;
    await vi.waitFor(() => expect(told()).toContain('@socket READY=1 \n'), EVENTUALLY);
    expect(existsSync(runMark)).toBe(true);
    sandbox.faults.set({ latencyMs: 600 });
    await using visitors = createVisitors(() => origin);
    const answer = askUntilTaken(visitors, '/lookup', { discord_id: '441997505123577857' });
    // The sandbox counts a request at half of its latency.
    await vi.waitFor(() => expect(sandbox.stats().requests).toBe(1), EVENTUALLY);
    server.signal(signal);
    expect((await answer).status).toBe(200);
    expect((await server.ended).exitCode).toBe(0);
    await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(told()).toMatch(/@socket READY=1 \n@socket STOPPING=1 \n$/);
    expect(existsSync(runMark)).toBe(false);
    for (const n of [1, 2]) expect(server.output()).not.toContain(sandbox.mintToken(n));
  },
);

it('a missing systemd-notify does no harm', async () => {
  await using server = startAppProcess({ NOTIFY_SOCKET: '@socket', PATH: '/nowhere' });
  const origin = await server.origin;
  await vi.waitFor(() => expect(server.output()).toContain('"event":"notify-failed"'), EVENTUALLY);
  const { statusCode, body } = await request(`${origin}/healthz`);
  await body.dump();
  expect(statusCode).toBe(200);
});
