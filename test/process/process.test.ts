// @module-tag slow
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startPlatform } from '#test/support/process-site.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';

describe('the process', () => {
  it('answers what is under way when it is told to stop, and ends well', async () => {
    await using platform = await startPlatform({ notFoundShare: 0 });
    const { sandbox, env } = platform;
    await using server = startAppProcess({
      ...env,
      BOT_TOKENS: sandbox.mintToken(0),
      POW_MAX_NUMBER: '1000',
    });
    const origin = await server.origin;
    sandbox.faults.set({ latencyMs: 600 });
    const [id = ''] = distinctIds(1);
    await using visitors = createVisitors(() => origin);
    const answer = visitors.next().ask('/lookup', { discord_id: id });
    // The sandbox counts a request at half of its latency.
    await vi.waitFor(() => expect(sandbox.stats().requests).toBe(1), EVENTUALLY);
    server.signal('SIGTERM');
    expect((await answer).status).toBe(200);
    expect((await server.ended).exitCode).toBe(0);
    await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('with a wrong configuration does not start, and names every problem at once without its secrets', async () => {
    const token = 'mfa.a-secret-that-must-not-be-printed';
    const wrong = {
      PORT: '99999',
      PLATFORM: 'elsewhere',
      PUBLIC_URL: 'not a url',
      DISCORD_API_URL: 'http://example.org',
      DISCORD_CDN_URL: 'http://example.org',
      BOT_TOKENS: token,
      TRUSTED_PROXIES: '10.0.0.0/99',
      POW_MAX_NUMBER: '5',
      LOG_LEVEL: 'loud',
    };
    await using process = startAppProcess(wrong);
    const { exitCode, stderr } = await process.ended;
    expect(exitCode).toBe(78);
    for (const name of Object.keys(wrong)) expect(stderr).toMatch(new RegExp(`^  ${name}\\b.*: `, 'm'));
    expect(stderr).not.toContain(token);
  });
});
