import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Challenge } from '#shared/contract/challenge.ts';
import { headerOf, type RawAnswer } from '#test/attacks/raw-exchange.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { caddy } from './caddy.ts';
import { nginx } from './nginx.ts';
import { ECHO_PATH, LARGE_BYTES, LARGE_PATH, REDIRECT, startProxiedApp, type Ask } from './proxied-app.ts';

const ID = '441997505123577857';
const CHALLENGES = { path: '/challenge' };
/** How many challenges one visitor gets at once. The app's clock stands still, so no more come after them. */
const BURST = 20;

/** What a connection or a proxy says of itself, not of the page. */
const OF_THE_HOP = new Set(['connection', 'keep-alive', 'date', 'server', 'alt-svc', 'transfer-encoding']);
const ofThePage = ({ status, headers, body }: RawAnswer) => ({
  status,
  headers: headers
    .filter(([name]) => !OF_THE_HOP.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted(),
  body,
});

describe.each([caddy, nginx])('behind $name', (proxy) => {
  if (!proxy.installed) {
    it.skip(`is not tried: ${proxy.name} is not here`, () => {});
    return;
  }
  let app: Awaited<ReturnType<typeof startProxiedApp>>;
  beforeAll(async () => {
    app = await startProxiedApp(proxy, { LOOKUPS_PER_MINUTE: '20' });
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const admitted = async (count: number, ask: Ask, how: 'ask' | 'askServer' = 'ask'): Promise<number> => {
    let allowed = 0;
    for (let n = 0; n < count; n += 1) allowed += (await app[how](ask)).status === 200 ? 1 : 0;
    return allowed;
  };
  const proofFor = async (from: string): Promise<string> => {
    const { body } = await app.ask({ ...CHALLENGES, from });
    return encodeProof(solveChallenge(JSON.parse(body) as Challenge));
  };
  const post = (body: string, from: string): Promise<RawAnswer> =>
    app.test.settle(
      app.ask({
        path: '/lookup',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
        body,
        from,
      }),
    );

  describe('a visitor', () => {
    it('is counted by the address that the connection to the proxy has', async () => {
      expect(await admitted(BURST + 5, { ...CHALLENGES, from: '127.1.1.1' })).toBe(BURST);
      expect(await admitted(1, { ...CHALLENGES, from: '127.2.2.2' })).toBe(1);
    });

    const spoofs: readonly Record<string, string | string[]>[] = [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': ['192.0.2.2', '192.0.2.3'] },
      { 'x-forwarded-for': '192.0.2.4, 127.0.0.1' },
      { 'x-forwarded-for': 'nonsense' },
      { 'x-forwarded-for': '192.0.2.5,'.repeat(30) },
      { connection: 'close, X-Forwarded-For', 'x-forwarded-for': '192.0.2.6' },
      { connection: 'X-Forwarded-For' },
      { 'x-real-ip': '192.0.2.7' },
      { forwarded: 'for=192.0.2.8;proto=https' },
      { 'cf-connecting-ip': '192.0.2.9', 'true-client-ip': '192.0.2.9', 'x-client-ip': '192.0.2.9' },
      { x_forwarded_for: '192.0.2.10' },
    ];
    it.each(spoofs)('does not get another address by %o', async (headers) => {
      const from = '127.3.3.3';
      await admitted(BURST, { ...CHALLENGES, from });
      const { status } = await app.ask({ ...CHALLENGES, headers, from });
      expect(status).toBe(429);
    });

    it('who goes past the proxy is counted as who they are', async () => {
      const spoofing = { ...CHALLENGES, headers: { 'x-forwarded-for': '192.0.2.11' } };
      expect(await admitted(BURST + 5, { ...spoofing, from: '127.4.4.4' }, 'askServer')).toBe(BURST);
    });
  });

  describe('an answer', () => {
    it.each([
      ['a page', { path: '/' }],
      ['a page in Brotli', { path: '/', headers: { 'accept-encoding': 'gzip, br' } }],
      ['a page in gzip', { path: '/', headers: { 'accept-encoding': 'gzip' } }],
      ['a page, HEAD', { path: '/', method: 'HEAD', headers: { 'accept-encoding': 'br' } }],
      ['a page, unchanged', { path: '/', headers: { 'if-none-match': '*' } }],
      ['a shared link', { path: `/?id=${ID}`, headers: { 'accept-encoding': 'gzip' } }],
      ['a file', { path: '/assets/app-1a2b3c4d.js' }],
      ['a status', { path: '/status.json' }],
      ['an unknown page', { path: '/nothing-here', headers: { 'accept-encoding': 'br' } }],
      ['an unknown page with slashes', { path: '//nothing//here/' }],
      ['a page at an odd address', { path: `${ECHO_PATH}/a//%2fb%5cc%20/.?d=%0d%0a&e` }],
      ['an uncompressed page', { path: ECHO_PATH, headers: { 'accept-encoding': 'gzip' } }],
      ['another method', { path: '/lookup', method: 'DELETE' }],
      ['a redirect', { path: REDIRECT.path }],
    ] satisfies [string, Ask][])('that is %s comes as the server gave it', async (_name, ask) => {
      // Between the two the server may have come to compress the page further.
      const answer = await vi.waitFor(async () => {
        const [given, asked] = [await app.ask(ask), await app.askServer(ask)];
        expect(ofThePage(given)).toEqual(ofThePage(asked));
        return given;
      }, EVENTUALLY);
      const names = answer.headers.map(([name]) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(headerOf(answer, 'strict-transport-security')).toBe('max-age=31536000');
      expect(headerOf(answer, 'server') ?? 'nginx').toBe('nginx');
    });

    it('without TLS leads to the same address with it', async () => {
      const answer = await app.askPlainly({ path: '//a/b%2f?c=d' });
      expect([301, 308]).toContain(answer.status);
      const { origin, pathname, search } = new URL(headerOf(answer, 'location') ?? '');
      expect(origin).toMatch(/^https:\/\/localhost(?::\d+)?$/);
      expect(pathname + search).toBe('//a/b%2f?c=d');
    });

    it('comes over HTTP/2 too', async () => {
      const session = connectHttp2(`https://localhost:${app.ports.https}`, { ca: app.proxy.ca });
      const stream = session.request({ ':path': '/healthz' });
      const [headers] = await once(stream, 'response');
      stream.resume();
      await once(stream, 'end');
      session.close();
      expect(headers).toMatchObject({ ':status': 200, 'x-content-type-options': 'nosniff' });
    });
  });

  describe('a lookup', () => {
    it('goes through, with its proof', async () => {
      const answer = await post(
        JSON.stringify({ discord_id: ID, proof: await proofFor('127.5.5.5') }),
        '127.5.5.5',
      );
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ username: 'marlow.finch' });
    });

    it.each([
      [4_096, 400],
      [4_097, 413],
      [5_000, 413],
      [1_000_000, 413],
    ])('of %i bytes is answered with %i', async (length, status) => {
      const answer = await post('x'.repeat(length), '127.5.5.5');
      expect(answer.status).toBe(status);
      // What is too large never gets to the server.
      expect(headerOf(answer, 'x-content-type-options')).toBe(status === 413 ? undefined : 'nosniff');
    });
  });

  describe('connections to the server', () => {
    it('are used again and again', async () => {
      const before = app.connections();
      for (let n = 0; n < 200; n += 1) {
        const { status } = await app.ask({ path: '/healthz', from: `127.6.${n % 10}.1` });
        expect(status).toBe(200);
      }
      expect(app.connections() - before).toBeLessThan(5);
    });

    it('are given up by the proxy before the server closes them', () => {
      expect(proxy.upstreamIdleMs()).toBeGreaterThan(0);
      expect(proxy.upstreamIdleMs()).toBeLessThan(app.test.app.server.server.keepAliveTimeout);
    });
  });

  it('does not cut off a reader', async () => {
    expect((await app.ask({ path: LARGE_PATH })).body.length).toBe(LARGE_BYTES);
  });

  it('leaves no id and no address in the logs of the proxy, even of what fails', async () => {
    await using failing = await startProxiedApp(proxy);
    const shared = { path: `/?id=${ID}`, from: '127.7.7.7' };
    expect((await failing.ask(shared)).status).toBe(200);
    failing.breakOff();
    expect((await failing.ask({ ...shared, method: 'POST' })).status).toBe(502);
    expect(failing.proxy.log()).not.toMatch(/441997505123577857|127\.7\.7\.7/);
  });
});
