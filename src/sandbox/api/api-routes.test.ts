import { describe, expect, it } from 'vitest';
import { UNKNOWN_USER_ID } from '../profiles/sample-profiles.ts';
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
