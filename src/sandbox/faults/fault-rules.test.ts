import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from 'undici';
import type { FaultSettings } from './faults.ts';
import { startSandbox, type SandboxUnderTest } from '#test/support/sandbox-client.ts';

const ID = '441997505123577857';
const USER = `/users/${ID}`;

let server: SandboxUnderTest;
beforeAll(async () => {
  server = await startSandbox();
});
afterAll(() => server[Symbol.asyncDispose]());

const replyUnder = async (faults: FaultSettings, path = USER) => {
  server.sandbox.faults.clear();
  server.sandbox.faults.set(faults);
  server.clock.nowMs += 60_000;
  return await server.get(path);
};

describe('faults of the whole answer', () => {
  it.each([
    ...([500, 502, 503, 504] as const).map((status) => [{ status }, status, `<title>${status} `] as const),
    [{ html200: true }, 200, '<!DOCTYPE html>'],
    [{ ban: 'text' }, 429, 'error code: 1015'],
    [{ blocked40333: true }, 403, '{"message": "internal network error", "code": 40333}'],
    [{ answer: { status: 418, contentType: 'text/plain', body: 'teapot' } }, 418, 'teapot'],
  ] as [FaultSettings, number, string][])('%j', async (faults, status, text) => {
    const reply = await replyUnder(faults);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(text);
  });

  it.each(['json', 'html', 'text'] as const)(
    'bans as %s from one route, for a time that it tells',
    async (form) => {
      const value = { form, retryAfterMs: 3_600_000 };
      server.sandbox.faults.clear();
      server.sandbox.faults.set({ ban: { value, route: 'invites/{code}' } });
      server.clock.nowMs += 600_500;
      const reply = await server.get('/invites/whoflake', { authorization: null });
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '3000']);
      expect(Object.keys(reply.headers).filter((name) => /^x-ratelimit|^via$/.test(name))).toEqual([]);
      expect((await server.get(USER)).status).toBe(200);
      server.clock.nowMs += 2_999_500;
      expect((await server.get('/invites/whoflake')).status).toBe(200);
    },
  );

  it.each([301, 302, 307, 308] as const)('redirects with %i', async (status) => {
    const reply = await replyUnder({ redirect: { status, to: 'http://127.0.0.1:9/evil' } });
    expect([reply.status, reply.headers['location']]).toEqual([status, 'http://127.0.0.1:9/evil']);
  });

  it('limits in each scope, and holds a shared limit against nobody', async () => {
    const { invalid } = server.sandbox.stats();
    const shared = await replyUnder({ sharedRateLimit: 1_500 });
    expect(shared.json()).toMatchObject({
      message: 'The resource is being rate limited.',
      retry_after: 1.5,
      global: false,
    });
    expect(shared.headers).toMatchObject({ 'x-ratelimit-scope': 'shared', 'x-ratelimit-remaining': '29' });
    expect(server.sandbox.stats().invalid).toBe(invalid);
    const global = await replyUnder({ globalRateLimit: true });
    expect(global.headers).toMatchObject({ 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' });
    const user = await replyUnder({ userRateLimit: 82_721_000 });
    expect(user.headers).toMatchObject({
      'retry-after': '82721',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-remaining': '0',
    });
    expect(server.sandbox.stats().invalid).toBe(invalid + 2);
  });
});

describe('faults of the body', () => {
  it('answers about another user, lays keys over the body, or replaces it', async () => {
    const { id } = (await replyUnder({ wrongId: true })).json();
    expect(id).toMatch(/^\d+$/);
    expect(id).not.toBe(ID);
    const merged = (await replyUnder({ merge: { bot: false } }, '/users/@me')).json();
    expect(merged).toMatchObject({ bot: false, locale: 'en-US' });
    expect((await replyUnder({ rawBody: '[]' })).text).toBe('[]');
  });

  it('sends more than any client should take, in plain and in gzip', { tags: 'slow' }, async () => {
    const oversize = await replyUnder({ oversize: true });
    expect(oversize.text.length).toBeGreaterThan(5 * 1024 * 1024);
    expect(oversize.json()['id']).toBe(ID);

    server.sandbox.faults.set({ gzipBomb: true, oversize: false });
    const bomb = await request(`${server.apiUrl}${USER}`, {
      headers: { authorization: `Bot ${server.token}`, 'user-agent': 'DiscordBot (https://a.example, 1)' },
    });
    expect(bomb.headers['content-encoding']).toBe('gzip');
    const packed = Buffer.from(await bomb.body.arrayBuffer());
    expect(packed.length).toBeLessThan(128 * 1024);
    expect(gunzipSync(packed).length).toBeGreaterThan(64 * 1024 * 1024);
  });
});

describe('faults of the headers', () => {
  it('leaves the limit headers out, or gets the time wrong', async () => {
    const bare = await replyUnder({ headerless: true });
    expect(Object.keys(bare.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    const { headers } = await replyUnder({ clockSkewMs: -3_600_000 });
    const realReset = server.clock.nowMs / 1000 + Number(headers['x-ratelimit-reset-after']);
    expect(realReset - Number(headers['x-ratelimit-reset'])).toBeCloseTo(3_600, 3);
    expect(headers['date']).toBe(new Date(server.clock.nowMs - 3_600_000).toUTCString());
  });
});

describe('faults of the delivery', () => {
  it('resets the connection, closes it before the announced end, or drips the body', async () => {
    await expect(replyUnder({ reset: true })).rejects.toThrow(/ECONNRESET|other side closed/);
    await expect(replyUnder({ truncate: true })).rejects.toThrow(/other side closed|terminated|aborted/);
    expect((await replyUnder({ drip: 1, rawBody: '{"id":1}' })).json()).toEqual({ id: 1 });
  });

  it('hangs until the sandbox is closed', async () => {
    const hanging = await startSandbox();
    hanging.sandbox.faults.set({ hang: true });
    const failure = expect(hanging.get(USER)).rejects.toThrow();
    await hanging.get(`${hanging.cdnUrl}/_sandbox/stats`);
    await hanging.sandbox.close();
    await failure;
  });

  it('delays, and lets answers overtake each other', async () => {
    server.sandbox.faults.clear();
    server.sandbox.faults.set({ latencyMs: { value: 60, count: 1 } });
    const finished: string[] = [];
    const slow = server.get(USER).then(() => finished.push('slow'));
    const quick = server.get('/users/@me').then(() => finished.push('quick'));
    await Promise.all([slow, quick]);
    expect(finished).toEqual(['quick', 'slow']);
  });
});
