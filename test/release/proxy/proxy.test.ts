import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Challenge } from '#shared/contract/challenge.ts';
import { headerOf, type RawAnswer } from '#test/attacks/raw-exchange.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { caddy, nginx } from './proxies.ts';
import {
  ECHO_PATH,
  LARGE_BYTES,
  LARGE_PATH,
  REDIRECT,
  startProxiedApp,
  type Ask,
  type ProxiedApp,
} from './proxied-app.ts';

const ID = '441997505123577857';
const CHALLENGES = { path: '/challenge' };
/** How many challenges one visitor gets at once. The app's clock stands still, so no more come after them. */
const BURST = 20;
const post = (body: string, from?: string): Ask => ({
  path: '/lookup',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` },
  body,
  ...(from !== undefined && { from }),
});

/** What a connection or a proxy says of itself, not of the page. */
const OF_THE_HOP = new Set(['connection', 'keep-alive', 'date', 'server', 'alt-svc', 'transfer-encoding']);
const ofThePage = ({ status, headers, body }: RawAnswer) => {
  const own = headers.filter(([name]) => !OF_THE_HOP.has(name)).map((pair) => pair.join(': '));
  return { status, headers: own.toSorted(), body };
};

/** Not `once`: a reset is a way to close, too. */
const gone = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** A visit by HTTP/1.1 that reads nothing, and the proxy's connection to the server that serves it. */
const visitLarge = async ({ test, ports, proxy }: ProxiedApp, query = '') => {
  const accepted = once(test.app.server.server, 'connection') as Promise<[Socket]>;
  const visitor: TLSSocket = connectTls({ port: ports.https, servername: 'localhost', ca: proxy.ca });
  visitor.on('error', () => {}).pause();
  visitor.write(`GET ${LARGE_PATH}${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [toServer] = await accepted;
  return { visitor, leftServer: gone(toServer) };
};

/** Streams that may never carry a byte of their answers. */
const STREAMS = 10;
const openStalledStreams = ({ ports, proxy }: ProxiedApp) => {
  const settings = { initialWindowSize: 0 };
  const session = connectHttp2(`https://localhost:${ports.https}`, { ca: proxy.ca, settings });
  session.on('error', () => {});
  const closed = Array.from({ length: STREAMS }, () => {
    const stream = session.request({ ':path': LARGE_PATH }).on('error', () => {});
    stream.resume();
    return new Promise<number>((resolve) => stream.once('close', () => resolve(stream.rstCode ?? 0)));
  });
  return { session, closed };
};

const SPOOFS: readonly Ask['headers'][] = [
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-forwarded-for': ['192.0.2.2', '192.0.2.3'] },
  { 'x-forwarded-for': '192.0.2.4, 127.0.0.1' },
  { 'x-forwarded-for': '192.0.2.5,'.repeat(30) },
  { connection: 'close, X-Forwarded-For', 'x-forwarded-for': '192.0.2.6' },
  { 'x-real-ip': '192.0.2.7', 'cf-connecting-ip': '192.0.2.7', forwarded: 'for=192.0.2.7;proto=https' },
  { x_forwarded_for: '192.0.2.8' },
];

const ANSWERS = {
  'a page': { path: '/' },
  'a page in Brotli': { path: '/', headers: { 'accept-encoding': 'gzip, br' } },
  'the head of a page': { path: '/', method: 'HEAD', headers: { 'accept-encoding': 'br' } },
  'a page that is unchanged': { path: '/', headers: { 'if-none-match': '*' } },
  'a shared link': { path: `/?id=${ID}`, headers: { 'accept-encoding': 'gzip' } },
  'an unknown page with slashes': { path: '//nothing//here/' },
  'a page at an odd address': { path: `${ECHO_PATH}/a//%2fb%5cc%20/.?d=%0d%0a&e` },
  'an uncompressed page': { path: ECHO_PATH, headers: { 'accept-encoding': 'gzip' } },
  'a refusal of another method': { path: '/lookup', method: 'DELETE' },
  'a redirect': { path: REDIRECT.path },
} satisfies Readonly<Record<string, Ask>>;

describe.each([caddy, nginx].filter(({ isMissing }) => !isMissing))('behind $name', (proxy) => {
  const behind = `behind ${proxy.name}`;
  let app: ProxiedApp;
  beforeAll(async () => {
    app = await startProxiedApp(proxy);
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const admitted = async (count: number, ask: Ask, how: 'ask' | 'askServer' = 'ask'): Promise<number> => {
    let allowed = 0;
    for (let n = 0; n < count; n += 1) allowed += (await app[how](ask)).status === 200 ? 1 : 0;
    return allowed;
  };

  it(`${behind} visitors are counted by the address of their connection, also those who go past it`, async () => {
    expect(await admitted(BURST + 5, { ...CHALLENGES, from: '127.1.1.1' })).toBe(BURST);
    expect(await admitted(1, { ...CHALLENGES, from: '127.2.2.2' })).toBe(1);
    const spoofing = { ...CHALLENGES, headers: { 'x-forwarded-for': '192.0.2.11' } };
    expect(await admitted(BURST + 5, { ...spoofing, from: '127.4.4.4' }, 'askServer')).toBe(BURST);
  });

  it.each(SPOOFS)(`${behind} a visitor does not get another address by %o`, async (headers = {}) => {
    const from = '127.3.3.3';
    await admitted(BURST, { ...CHALLENGES, from });
    expect((await app.ask({ ...CHALLENGES, headers, from })).status).toBe(429);
  });

  it.each(Object.entries<Ask>(ANSWERS))(`${behind} %s comes as the server gave it`, async (_name, ask) => {
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

  it(`${behind} a visit without TLS is led to the same address with it, and HTTP/2 works`, async () => {
    const answer = await app.askPlainly({ path: '//a/b%2f?c=d' });
    expect([301, 308]).toContain(answer.status);
    expect(headerOf(answer, 'location')).toMatch(/^https:\/\/localhost(?::\d+)?\/\/a\/b%2f\?c=d$/);
    const session = connectHttp2(`https://localhost:${app.ports.https}`, { ca: app.proxy.ca });
    const [headers] = await once(session.request({ ':path': '/healthz' }).resume(), 'response');
    session.destroy();
    expect(headers).toMatchObject({ ':status': 200, 'x-content-type-options': 'nosniff' });
  });

  it(`${behind} a lookup goes through with its proof, and what is too large never gets to the server`, async () => {
    const from = '127.5.5.5';
    const challenge = JSON.parse((await app.ask({ ...CHALLENGES, from })).body) as Challenge;
    const body = JSON.stringify({ discord_id: ID, proof: encodeProof(solveChallenge(challenge)) });
    const answer = await app.test.settle(app.ask(post(body, from)));
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('marlow.finch')]);
    for (const [length, status] of [
      [4_096, 400],
      [4_097, 413],
      [5_000, 413],
      [1_000_000, 413],
    ] as const) {
      const refusal = await app.ask(post('x'.repeat(length), from));
      const isOfTheServer = headerOf(refusal, 'x-content-type-options') === 'nosniff';
      expect([refusal.status, isOfTheServer]).toEqual([status, status === 400]);
    }
  });

  it(`${behind} connections to the server are used again, and given up before the server closes them`, async () => {
    let connections = 0;
    const { server } = app.test.app.server;
    server.on('connection', () => (connections += 1));
    for (let n = 0; n < 100; n += 1)
      expect((await app.ask({ path: '/healthz', from: `127.6.${n % 10}.1` })).status).toBe(200);
    expect(connections).toBeLessThan(5);
    expect(proxy.idleSeconds()).toBeGreaterThan(0);
    expect(proxy.idleSeconds() * 1_000).toBeLessThan(server.keepAliveTimeout);
  });

  it(`${behind} a reader gets everything, and no ID or address is in the log, even of what fails`, async () => {
    await using failing = await startProxiedApp(proxy);
    const shared = { path: `/?id=${ID}`, from: '127.7.7.7' };
    for (let n = 0; n < 3; n += 1) {
      const { visitor, leftServer } = await visitLarge(failing, `?id=${ID}`);
      await once(visitor.resume(), 'data');
      visitor.destroy();
      await leftServer;
    }
    expect((await failing.ask(shared)).status).toBe(200);
    expect((await failing.ask({ path: LARGE_PATH })).body.length).toBe(LARGE_BYTES);
    const arrived = failing.breakOff();
    expect((await failing.ask({ ...post('{}'), ...shared })).status).toBe(502);
    // A post that was sent is never sent again.
    expect(arrived()).toBe(1);
    expect(failing.proxy.log()).not.toMatch(/441997505123577857|127\.7\.7\.7|reverse_proxy/);
  });

  it(`${behind} requests wait while the server restarts`, async () => {
    await using restarting = await startProxiedApp(proxy);
    await restarting.stopServer();
    const answers = Promise.all(['/healthz', '/status.json'].map((path) => restarting.ask({ path })));
    // Takes the server's place until the proxy has tried to reach it, and leaves without a word.
    const passing = createServer((socket) => socket.destroy()).listen(restarting.ports.upstream, '127.0.0.1');
    await once(passing, 'connection');
    passing.close();
    await once(passing, 'close');
    restarting.startServer();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe.skipIf(nginx.isMissing)('nginx', () => {
  // Caddy has lost the body by then: https://github.com/caddyserver/caddy/issues/7546
  it('behind nginx a post that has reached nobody waits as well, and arrives whole', async () => {
    await using app = await startProxiedApp(nginx);
    await app.stopServer();
    const answer = app.ask(post('{"discord_id":"007"}'));
    // Which the proxy does by itself, and has looked for the server meanwhile.
    for (let n = 0; n < 50; n += 1) await app.askPlainly({ path: '/' });
    app.startServer();
    const { status, body } = await answer;
    expect([status, body]).toEqual([400, expect.stringContaining('id-malformed')]);
  });

  it('behind nginx a request is given up after five tries', async () => {
    const hurry = { 'auth_delay 1s': 'auth_delay 1ms', 'auth_delay 2500ms': 'auth_delay 1ms' };
    await using app = await startProxiedApp(nginx, hurry);
    const tries = app.breakOff();
    expect((await app.ask({ path: '/healthz' })).status).toBe(502);
    expect(tries()).toBe(5);
  });

  it('behind nginx HTTP/2 streams that nobody reads are closed', async () => {
    await using app = await startProxiedApp(nginx, { 'send_timeout 30s': 'send_timeout 1s' });
    const { session, closed } = openStalledStreams(app);
    expect(await Promise.all(closed)).not.toContain(constants.NGHTTP2_NO_ERROR);
    session.destroy();
  });
});

describe.skipIf(caddy.isMissing)('Caddy', () => {
  it('behind Caddy an answer that nobody reads is given up, and so is the connection to the server', async () => {
    await using app = await startProxiedApp(caddy, { 'write 2m': 'write 1s' });
    const { visitor, leftServer } = await visitLarge(app);
    await leftServer;
    let received = 0;
    visitor.on('data', (chunk) => (received += chunk.length)).resume();
    await gone(visitor);
    expect(received).toBeLessThan(LARGE_BYTES);
  });
});
