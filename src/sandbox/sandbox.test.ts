import { describe, expect, it } from 'vitest';
import { UNKNOWN_USER_ID } from './profiles/sample-profiles.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

const ORDINARY = '/users/441997505123577857';

describe('errors', () => {
  it.each([
    ['an unknown user', `/users/${UNKNOWN_USER_ID}`, {}, 404, '{"message": "Unknown User", "code": 10013}'],
    [
      'an id from the future',
      '/users/9223372036854775807',
      {},
      404,
      '{"message": "Unknown User", "code": 10013}',
    ],
    ['an id too small for anyone', '/users/1', {}, 404, '{"message": "Unknown User", "code": 10013}'],
    [
      'an id that is no number',
      '/users/x%22y',
      {},
      400,
      '{"message":"Invalid Form Body","code":50035,"errors":{"user_id":{"_errors":[{"code":"NUMBER_TYPE_COERCE","message":"Value \\"x\\"y\\" is not snowflake."}]}}}',
    ],
    [
      'an id too large',
      '/users/9223372036854775808',
      {},
      400,
      '{"message":"Invalid Form Body","code":50035,"errors":{"user_id":{"_errors":[{"code":"NUMBER_TYPE_MAX","message":"snowflake value should be less than or equal to 9223372036854775807."}]}}}',
    ],
    [
      'an id with zeros before it',
      '/users/00441997505123577857',
      {},
      400,
      '{"message":"Invalid Form Body","code":50035,"errors":{"user_id":{"_errors":[{"code":"NUMBER_TYPE_COERCE","message":"Value \\"00441997505123577857\\" is not snowflake."}]}}}',
    ],
    ['no token', '/users/@me', { authorization: null }, 401, '{"message": "401: Unauthorized", "code": 0}'],
    [
      'a bad token',
      '/users/@me',
      { authorization: 'Bot abc' },
      401,
      '{"message": "401: Unauthorized", "code": 0}',
    ],
    [
      'another scheme',
      '/users/@me',
      { authorization: 'Bearer abc' },
      401,
      '{"message": "401: Unauthorized", "code": 0}',
    ],
    ['an unknown path', '/guilds', {}, 404, '{"message": "404: Not Found", "code": 0}'],
    ['a longer path', `${ORDINARY}/x`, {}, 404, '{"message": "404: Not Found", "code": 0}'],
    [
      'another method',
      ORDINARY,
      { method: 'DELETE' },
      405,
      '{"message": "405: Method Not Allowed", "code": 0}',
    ],
    ['where the gateway is', '/gateway', { authorization: null }, 200, '{"url":"wss://gateway.discord.gg"}'],
    ['an unknown invite', '/invites/expired', {}, 404, '{"message": "Unknown Invite", "code": 10006}'],
    [
      'no bot’s User-Agent',
      ORDINARY,
      { userAgent: 'Mozilla/5.0' },
      403,
      '{"message": "internal network error", "code": 40333}',
    ],
  ] as const)('answers %s as the platform does', async (_, path, ask, status, body) => {
    await using server = await startSandbox();
    const reply = await server.get(path, ask);
    expect(reply).toMatchObject({ status, text: body });
    expect(reply.headers['content-type']).toBe('application/json');
  });
});

describe('paths', () => {
  it.each(['v10/', 'v9/', 'v8/', 'v7/', 'v6/', ''])('answer under /api/%s', async (version) => {
    await using server = await startSandbox();
    const { apiUrl, token } = server;
    const id = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    const reply = await server.get(apiUrl.replace('v10', `${version}users/@me`));
    expect([reply.status, reply.json()['id']]).toEqual([200, id]);
  });

  it.each(['v5', 'v1', 'v0', 'v11'])('are refused under the dead or unborn version %s', async (version) => {
    await using server = await startSandbox();
    for (const path of [ORDINARY, '/nothing']) {
      const reply = await server.get(server.apiUrl.replace('v10', version) + path);
      expect(reply).toMatchObject({ status: 400, text: '{"message": "Invalid API version", "code": 50041}' });
    }
  });

  it.each([
    ['/users/%40me', '/users/@me'],
    ['/applications/%40me', '/applications/@me'],
    ['/users/%3441997505123577857', ORDINARY],
    ['/invites/%77hoflake', '/invites/whoflake'],
  ])('are decoded before they are matched: %s', async (encoded, plain) => {
    await using server = await startSandbox();
    const replies = [await server.get(encoded), await server.get(plain)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
    expect(Object.keys(server.sandbox.stats().routes)).toHaveLength(1);
  });

  it('that cannot be decoded are taken as they are', async () => {
    await using server = await startSandbox();
    expect((await server.get('/users/%zz')).json()).toMatchObject({ code: 50035 });
  });
});

describe('who is let in', () => {
  it.each([
    'DiscordBot (https://discord.js.org, 2.6.3) Node.js/26.0.0',
    'DiscordBot (https://github.com/abalabahaha/eris, 0.18.0)',
    'DiscordBot (https://github.com/Rapptz/discord.py 2.6.4) Python/3.13 aiohttp/3.12',
    'node',
  ])('%s', async (userAgent) => {
    await using server = await startSandbox();
    expect((await server.get(ORDINARY, { userAgent })).status).toBe(200);
  });

  it.each(['', 'DiscordBot', 'curl/8', 'node-superagent/3'])('not %j', async (userAgent) => {
    await using server = await startSandbox();
    expect((await server.get(ORDINARY, { userAgent })).json()).toMatchObject({ code: 40333 });
  });
});

describe('rate limits', () => {
  it('spends one slot of one bucket for every answer about a user, whatever the id', async () => {
    await using server = await startSandbox();
    const paths = [ORDINARY, `/users/${UNKNOWN_USER_ID}`, '/users/x', '/users/135359489430777860'];
    const remaining: unknown[] = [];
    const buckets = new Set<unknown>();
    for (const path of paths) {
      const { headers } = await server.get(path);
      remaining.push(headers['x-ratelimit-remaining']);
      buckets.add(headers['x-ratelimit-bucket']);
      expect(headers['x-ratelimit-limit']).toBe('30');
    }
    expect(remaining).toEqual(['29', '28', '27', '26']);
    expect(buckets.size).toBe(1);
  });

  it('keeps a bucket for each route of a bot, none for those who have no token', async () => {
    await using server = await startSandbox({ limit: 2 });
    const paths = ['/users/@me', '/applications/@me', '/invites/whoflake', '/gateway/bot', ORDINARY];
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

  it('keeps the reset time of a fixed window', async () => {
    await using server = await startSandbox({ mode: 'fixed' });
    const first = await server.get(ORDINARY);
    server.clock.nowMs += 1_000;
    const second = await server.get(ORDINARY);
    expect(second.headers['x-ratelimit-reset']).toBe(first.headers['x-ratelimit-reset']);
    expect(second.headers['x-ratelimit-reset-after']).toBe('29.000');
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

describe('bans', () => {
  it.each([
    ['json', 'application/json', '"code": 0'],
    ['html', 'text/html; charset=UTF-8', 'Error 1015'],
    ['text', 'text/plain; charset=UTF-8', 'error code: 1015'],
  ] as const)(
    'come as %s after too many invalid requests, for good tokens too',
    async (banForm, type, text) => {
      await using server = await startSandbox({ invalidLimit: 3, banForm });
      await server.get('/users/@me', { authorization: 'Bot bad' });
      await server.get('/users/@me', { userAgent: 'curl/8' });
      await server.get(`/users/${UNKNOWN_USER_ID}`);
      expect((await server.get(ORDINARY)).status).toBe(200);
      await server.get('/users/@me', { authorization: null });
      const reply = await server.get(ORDINARY);
      expect(reply.status).toBe(429);
      expect(reply.text).toContain(text);
      expect(reply.headers['content-type']).toBe(type);
      expect(
        Object.keys(reply.headers).filter((name) => /^x-ratelimit|^retry-after|^via$/.test(name)),
      ).toEqual([]);
      server.clock.nowMs += 3_600_000;
      expect((await server.get(ORDINARY)).status).toBe(200);
    },
  );
});

describe('the bot’s own resources', () => {
  it('tells a bot who it is and in how many servers', async () => {
    await using server = await startSandbox();
    const id = Buffer.from(server.token.split('.')[0] ?? '', 'base64url').toString();
    expect((await server.get('/users/@me')).json()).toMatchObject({ id, bot: true });
    expect((await server.get('/applications/@me')).json()).toMatchObject({ id, approximate_guild_count: 0 });
    server.sandbox.setGuildCount(server.token, 3);
    expect((await server.get('/applications/@me')).json()).toMatchObject({ approximate_guild_count: 3 });
    expect((await server.get(`/users/${id}`)).json()).toMatchObject({ id, bot: true });
    const asOlderClients = await server.get('/oauth2/applications/@me');
    expect(asOlderClients.text).toBe((await server.get('/applications/@me')).text);
  });

  it('refuses everything after a mass revocation, until tokens are made again', async () => {
    await using server = await startSandbox();
    server.sandbox.revokeAll();
    expect((await server.get('/users/@me')).status).toBe(401);
    expect(
      (await server.get('/users/@me', { authorization: `Bot ${server.sandbox.mintToken(0)}` })).status,
    ).toBe(200);
  });
});

describe('invites', () => {
  it('can be read without a token, and be taken over by another server', async () => {
    await using server = await startSandbox();
    const before = (await server.get('/invites/whoflake?with_counts=true', { authorization: null })).json();
    expect(before).toMatchObject({
      code: 'whoflake',
      approximate_member_count: expect.any(Number) as number,
    });
    expect((await server.get('/invites/whoflake', { authorization: 'Bot bad' })).status).toBe(401);
    for (const yes of ['True', '1'])
      expect((await server.get(`/invites/whoflake?with_counts=${yes}`)).json()).toEqual(before);
    server.sandbox.setInviteGuild('whoflake', '111111111111111111');
    const after = (await server.get('/invites/whoflake')).json();
    expect(after).toMatchObject({ guild_id: '111111111111111111', guild: { id: '111111111111111111' } });
    expect(after).not.toHaveProperty('approximate_member_count');
    server.sandbox.setInviteGuild('whoflake', null);
    expect((await server.get('/invites/whoflake')).status).toBe(404);
  });
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
});
