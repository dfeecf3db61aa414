import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { UNKNOWN_USER_ID } from '../profiles/sample-profiles.ts';
import { startSandbox, type SandboxUnderTest } from '#test/support/sandbox-client.ts';

const ORDINARY = '/users/441997505123577857';
const UNKNOWN_USER = '{"message": "Unknown User", "code": 10013}';
const UNAUTHORIZED = '{"message": "401: Unauthorized", "code": 0}';
const NOT_FOUND = '{"message": "404: Not Found", "code": 0}';
const NO_METHOD = '{"message": "405: Method Not Allowed", "code": 0}';
const invalid = (code: string, message: string): string =>
  `{"message":"Invalid Form Body","code":50035,"errors":{"user_id":{"_errors":[{"code":"${code}","message":"${message}"}]}}}`;
const noSnowflake = (value: string): string =>
  invalid('NUMBER_TYPE_COERCE', `Value \\"${value}\\" is not snowflake.`);
const TOO_LARGE = 'snowflake value should be less than or equal to 9223372036854775807.';

let server: SandboxUnderTest;
beforeAll(async () => {
  server = await startSandbox();
});
beforeEach(() => void (server.clock.nowMs += 60_000));
afterAll(() => server[Symbol.asyncDispose]());

it.each([
  ['an unknown user', `/users/${UNKNOWN_USER_ID}`, {}, 404, UNKNOWN_USER],
  ['an id from the future', '/users/9223372036854775807', {}, 404, UNKNOWN_USER],
  ['an id too small for anyone', '/users/1', {}, 404, UNKNOWN_USER],
  ['an id that is no number', '/users/x%22y', {}, 400, noSnowflake('x\\"y')],
  ['an id that cannot be decoded', '/users/%zz', {}, 400, noSnowflake('%zz')],
  ['an id with zeros before it', '/users/0044199', {}, 400, noSnowflake('0044199')],
  ['an id too large', '/users/9223372036854775808', {}, 400, invalid('NUMBER_TYPE_MAX', TOO_LARGE)],
  ['no token', '/users/@me', { authorization: null }, 401, UNAUTHORIZED],
  ['a bad token', '/users/@me', { authorization: 'Bot abc' }, 401, UNAUTHORIZED],
  ['another scheme', '/users/@me', { authorization: 'Bearer abc' }, 401, UNAUTHORIZED],
  ['a bad token for an invite', '/invites/whoflake', { authorization: 'Bot bad' }, 401, UNAUTHORIZED],
  ['an unknown path', '/guilds', {}, 404, NOT_FOUND],
  ['a longer path', `${ORDINARY}/x`, {}, 404, NOT_FOUND],
  ['another method', ORDINARY, { method: 'DELETE' }, 405, NO_METHOD],
  ['where the gateway is', '/gateway', { authorization: null }, 200, '{"url":"wss://gateway.discord.gg"}'],
  ['an unknown invite', '/invites/expired', {}, 404, '{"message": "Unknown Invite", "code": 10006}'],
] as const)('the API answers %s as the platform does', async (_, path, ask, status, text) => {
  const reply = await server.get(path, ask);
  expect(reply).toMatchObject({ status, text });
  expect(reply.headers['content-type']).toBe('application/json');
});

it('an address may be escaped, as libraries write it', async () => {
  expect((await server.get('/users/%40me')).text).toBe((await server.get('/users/@me')).text);
});
