import { describe, expect, it } from 'vitest';
import { UNKNOWN_USER_ID } from './profiles/sample-profiles.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

const ORDINARY = '/users/441997505123577857';

it.each([
  ['DiscordBot (https://discord.js.org, 2.6.3) Node.js/26.0.0', 200],
  ['DiscordBot (https://github.com/Rapptz/discord.py 2.6.4) Python/3.13 aiohttp/3.12', 200],
  ['node', 200],
  ['', 403],
  ['DiscordBot', 403],
  ['curl/8', 403],
  ['node-superagent/3', 403],
])('the User-Agent %j is answered with %i', async (userAgent, status) => {
  await using server = await startSandbox();
  expect((await server.get(ORDINARY, { userAgent })).status).toBe(status);
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

describe('statistics', () => {
  it('count what came, without keeping a token', async () => {
    await using server = await startSandbox();
    await server.get(ORDINARY);
    await server.get('/users/@me', { authorization: server.token });
    await server.get('/users/@me', { authorization: null });
    const stats = server.sandbox.stats();
    expect(stats).toMatchObject({
      requests: 3,
      invalid: 2,
      rateLimited: 0,
      byStatus: { 200: 1, 401: 2 },
      routes: { 'users/{id}': 1, 'users/@me': 2 },
      schemes: { Bot: 1, bare: 1, none: 1 },
    });
    expect(JSON.stringify(stats)).not.toContain(server.token);
  });

  it('tell the busiest second, wherever it begins, and when each bot was used last', async () => {
    await using server = await startSandbox();
    const startMs = server.clock.nowMs;
    for (const gapMs of [0, 900, 50, 49, 1, 1_000]) {
      server.clock.nowMs += gapMs;
      await server.get('/users/@me');
    }
    const { busiestSecond, lastMsByBot } = server.sandbox.stats();
    expect(busiestSecond).toBe(4);
    expect(Object.values(lastMsByBot)).toEqual([startMs + 2_000]);
  });
});
