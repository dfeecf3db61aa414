import { expect, it } from 'vitest';
import { UNKNOWN_USER_ID } from './profiles/sample-profiles.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

const ORDINARY = '/users/441997505123577857';
const limited = { message: 'You are being rate limited.', code: 0 };

it('there is a bucket for each route of a bot, none for those who have no token', async () => {
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

it('the request after the last slot is refused with the time until the next', async () => {
  await using server = await startSandbox({ limit: 2, periodMs: 5_000 });
  for (let n = 0; n < 2; n += 1) await server.get(ORDINARY);
  const reply = await server.get(ORDINARY);
  expect(reply.status).toBe(429);
  expect(reply.json()).toEqual({ ...limited, retry_after: 2.5, global: false });
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

it('all routes of a bot count against the global limit', async () => {
  await using server = await startSandbox({ globalPerSecond: 2 });
  await server.get('/users/@me');
  await server.get('/applications/@me');
  const reply = await server.get(ORDINARY);
  expect(reply.json()).toEqual({ ...limited, retry_after: 1, global: true });
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

it('a ban follows too many invalid requests in ten minutes, for good tokens too', async () => {
  await using server = await startSandbox({ invalidLimit: 3 });
  await server.get('/users/@me', { authorization: 'Bot bad' });
  server.clock.nowMs += 600_000;
  await server.get('/users/@me', { authorization: 'Bot bad' });
  await server.get('/users/@me', { userAgent: 'curl/8' });
  await server.get(`/users/${UNKNOWN_USER_ID}`);
  expect((await server.get(ORDINARY)).status).toBe(200);
  await server.get('/users/@me', { authorization: null });
  const reply = await server.get(ORDINARY);
  expect(reply).toMatchObject({ status: 429, text: expect.stringContaining('"code": 0') as string });
  expect(Object.keys(reply.headers).join()).not.toMatch(/x-ratelimit|retry-after|via/);
  server.clock.nowMs += 3_599_999;
  expect((await server.get(ORDINARY)).status).toBe(429);
  server.clock.nowMs += 1;
  expect((await server.get(ORDINARY)).status).toBe(200);
});
