import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { request } from 'undici';
import type { FaultSettings } from './faults.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

const ID = '441997505123577857';
const USER = `/users/${ID}`;

const replyUnder = async (faults: FaultSettings, path = USER) => {
  await using server = await startSandbox();
  server.sandbox.faults.set(faults);
  return await server.get(path);
};

describe('faults of the whole answer', () => {
  it.each([500, 502, 503, 504] as const)('answers %i with a page of HTML', async (status) => {
    const reply = await replyUnder({ status });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(`<title>${status} `);
    expect(reply.headers['content-type']).toBe('text/html; charset=UTF-8');
  });

  it('answers 200 with HTML', async () => {
    const reply = await replyUnder({ html200: true });
    expect(reply.status).toBe(200);
    expect(() => reply.json()).toThrow(SyntaxError);
  });

  it('bans in the chosen form', async () => {
    expect(await replyUnder({ ban: 'text' })).toMatchObject({ status: 429, text: 'error code: 1015' });
  });

  it.each(['json', 'html', 'text'] as const)(
    'bans as %s for a time that it tells, and no longer',
    async (form) => {
      await using server = await startSandbox();
      server.sandbox.faults.set({ ban: { form, retryAfterMs: 3_600_000 } });
      server.clock.nowMs += 600_500;
      const reply = await server.get(USER);
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '3000']);
      expect(Object.keys(reply.headers).filter((name) => /^x-ratelimit|^via$/.test(name))).toEqual([]);
      server.clock.nowMs += 2_999_500;
      expect((await server.get(USER)).status).toBe(200);
    },
  );

  it('bans from one route only', async () => {
    await using server = await startSandbox();
    const value = { form: 'text', retryAfterMs: 86_400_000 } as const;
    server.sandbox.faults.set({ ban: { value, route: 'invites/{code}' } });
    const banned = await server.get('/invites/whoflake', { authorization: null });
    expect(banned).toMatchObject({ status: 429, text: 'error code: 1015' });
    expect(banned.headers['retry-after']).toBe('86400');
    for (const path of [USER, '/users/@me', '/gateway']) expect((await server.get(path)).status).toBe(200);
  });

  it('blocks as if the User-Agent were wrong', async () => {
    expect((await replyUnder({ blocked40333: true })).json()).toEqual({
      message: 'internal network error',
      code: 40333,
    });
  });

  it.each([301, 302, 307, 308] as const)('redirects with %i', async (status) => {
    const reply = await replyUnder({ redirect: { status, to: 'http://127.0.0.1:9/evil' } });
    expect(reply.status).toBe(status);
    expect(reply.headers['location']).toBe('http://127.0.0.1:9/evil');
  });

  it('limits in each scope', async () => {
    const shared = await replyUnder({ sharedRateLimit: 1_500 });
    expect(shared.json()).toMatchObject({
      message: 'The resource is being rate limited.',
      retry_after: 1.5,
      global: false,
    });
    expect(shared.headers).toMatchObject({ 'x-ratelimit-scope': 'shared', 'x-ratelimit-remaining': '29' });
    for (const path of ['/users/@me', '/applications/@me', '/invites/whoflake']) {
      const { headers } = await replyUnder({ sharedRateLimit: true }, path);
      expect(headers).toMatchObject({ 'x-ratelimit-scope': 'shared', 'x-ratelimit-remaining': '29' });
    }
    const global = await replyUnder({ globalRateLimit: true });
    expect(global.headers).toMatchObject({ 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' });
    const huge = await replyUnder({ hugeRetryAfter: true });
    expect(huge.headers).toMatchObject({
      'retry-after': '82721',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-remaining': '0',
    });
  });

  it('does not count a shared limit as an invalid request', async () => {
    await using server = await startSandbox();
    server.sandbox.faults.set({ sharedRateLimit: true });
    await server.get(USER);
    expect(server.sandbox.stats()).toMatchObject({ invalid: 0, rateLimited: 1 });
  });
});

describe('faults of the body', () => {
  it('answers about another user', async () => {
    const reply = await replyUnder({ wrongId: true });
    expect(reply.json()['id']).toMatch(/^\d+$/);
    expect(reply.json()['id']).not.toBe(ID);
  });

  it('sends values of wrong types in many ways', async () => {
    await using server = await startSandbox();
    const sound = (await server.get(USER)).text;
    server.sandbox.faults.set({ wrongTypes: true });
    const bodies = new Set<string>();
    for (let n = 0; n < 25; n += 1) bodies.add((await server.get(USER)).text);
    expect(bodies.size).toBeGreaterThan(5);
    expect(bodies).not.toContain(sound);
  });

  it('lays keys over the body, or replaces it', async () => {
    expect((await replyUnder({ merge: { bot: false } }, '/users/@me')).json()).toMatchObject({
      bot: false,
      locale: 'en-US',
    });
    expect((await replyUnder({ rawBody: '[]' })).text).toBe('[]');
  });

  it('sends more than any client should take, in plain and in gzip', async () => {
    const oversize = await replyUnder({ oversize: true });
    expect(oversize.text.length).toBeGreaterThan(5 * 1024 * 1024);
    expect(oversize.json()['id']).toBe(ID);

    await using server = await startSandbox();
    server.sandbox.faults.set({ gzipBomb: true });
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
  it('leaves the limit headers out, or lies in them', async () => {
    const bare = await replyUnder({ headerless: true });
    expect(Object.keys(bare.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    const sound = await replyUnder({});
    const wrong = await replyUnder({ wrongBucket: true });
    expect(wrong.headers['x-ratelimit-limit']).toBe('2000');
    expect(wrong.headers['x-ratelimit-bucket']).not.toBe(sound.headers['x-ratelimit-bucket']);
  });

  it('lets the platform’s clock go wrong', async () => {
    const sound = await replyUnder({});
    const skewed = await replyUnder({ clockSkewMs: -3_600_000 });
    const difference =
      Number(sound.headers['x-ratelimit-reset']) - Number(skewed.headers['x-ratelimit-reset']);
    expect(difference).toBeCloseTo(3_600, 3);
    expect(skewed.headers['x-ratelimit-reset-after']).toBe(sound.headers['x-ratelimit-reset-after']);
    expect(skewed.headers['date']).toBe('Sun, 15 Nov 2026 11:00:00 GMT');
  });
});

describe('faults of the delivery', () => {
  it('resets the connection', async () => {
    await expect(replyUnder({ reset: true })).rejects.toThrow(/ECONNRESET|other side closed/);
  });

  it('closes before the announced end', async () => {
    await expect(replyUnder({ truncate: true })).rejects.toThrow(/other side closed|terminated|aborted/);
  });

  it('drips the body byte by byte', async () => {
    expect((await replyUnder({ drip: 1, rawBody: '{"id":1}' })).json()).toEqual({ id: 1 });
  });

  it('hangs until the sandbox is closed', async () => {
    const server = await startSandbox();
    server.sandbox.faults.set({ hang: true });
    const pending = server.get(USER);
    const failure = expect(pending).rejects.toThrow();
    await server.get(`${server.cdnUrl}/_sandbox/stats`);
    await server.sandbox.close();
    await failure;
  });

  it('delays, and lets answers overtake each other', async () => {
    await using server = await startSandbox();
    server.sandbox.faults.set({ latencyMs: { value: 60, count: 1 } });
    const finished: string[] = [];
    const slow = server.get(USER).then(() => finished.push('slow'));
    const quick = server.get('/users/@me').then(() => finished.push('quick'));
    await Promise.all([slow, quick]);
    expect(finished).toEqual(['quick', 'slow']);
  });
});
