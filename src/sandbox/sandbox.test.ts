import { describe, expect, it } from 'vitest';
import { startSandbox } from '#test/support/sandbox-client.ts';

const ORDINARY = '/users/441997505123577857';

describe('rate limits', () => {
  it('keeps a bucket for each route of a bot, none for those who have no token', async () => {
    await using server = await startSandbox({ limit: 2 });
    const paths = ['/users/@me', '/applications/@me', '/invites/whoflake', ORDINARY];
    const buckets = new Set<unknown>();
    for (const path of paths) {
      const { status, headers } = await server.get(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': ((server.clock.nowMs + 15_000) / 1000).toFixed(3),
        'x-ratelimit-reset-after': '15.000',
      });
      buckets.add(headers['x-ratelimit-bucket']);
    }
    expect(buckets.size).toBe(paths.length);
    expect((await server.get('/invites/expired')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await server.get('/invites/whoflake')).status).toBe(429);

    for (const path of ['/invites/whoflake', '/invites/expired', '/gateway', '/users/@me']) {
      const { headers } = await server.get(path, { authorization: null });
      expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
  });

  it('keeps the bucket of a bot whose token was reset', async () => {
    await using server = await startSandbox({ limit: 2 });
    await server.get(ORDINARY);
    const authorization = `Bot ${server.sandbox.resetToken(server.token)}`;
    expect((await server.get(ORDINARY, { authorization })).headers['x-ratelimit-remaining']).toBe('0');
    expect((await server.get(ORDINARY, { authorization })).status).toBe(429);
    expect((await server.get(ORDINARY)).status).toBe(401);
  });

  it('refuses the request after the last slot with the time until the next', async () => {
    await using server = await startSandbox({ limit: 2, periodMs: 5_000 });
    for (let n = 0; n < 2; n += 1) await server.get(ORDINARY);
    const reply = await server.get(ORDINARY);
    expect(reply.status).toBe(429);
    expect(reply.json()).toEqual({
      message: 'You are being rate limited.',
      retry_after: 2.5,
      global: false,
      code: 0,
    });
    expect(reply.headers).toMatchObject({
      'retry-after': '3',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '2.500',
      'x-ratelimit-reset': ((server.clock.nowMs + 2_500) / 1000).toFixed(3),
    });
    expect(reply.headers).not.toHaveProperty('x-ratelimit-global');
    server.clock.nowMs += 2_500;
    expect((await server.get(ORDINARY)).status).toBe(200);
  });

  it('counts all routes of a bot against the global limit', async () => {
    await using server = await startSandbox({ globalPerSecond: 2 });
    await server.get('/users/@me');
    await server.get('/applications/@me');
    const reply = await server.get(ORDINARY);
    expect(reply.json()).toEqual({
      message: 'You are being rate limited.',
      retry_after: 1,
      global: true,
      code: 0,
    });
    expect(reply.headers).toMatchObject({
      'x-ratelimit-scope': 'global',
      'x-ratelimit-global': 'true',
      'retry-after': '1',
    });
    for (const name of ['limit', 'remaining', 'bucket'])
      expect(reply.headers).not.toHaveProperty(`x-ratelimit-${name}`);
    const other = `Bot ${server.sandbox.mintToken(1)}`;
    expect((await server.get(ORDINARY, { authorization: other })).status).toBe(200);
  });
});
