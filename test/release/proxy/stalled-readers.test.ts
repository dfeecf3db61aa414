import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { caddy } from './caddy.ts';
import { nginx } from './nginx.ts';
import { LARGE_BYTES, LARGE_PATH, startProxiedApp, type ProxiedApp } from './proxied-app.ts';

const ID = '441997505123577857';
const STREAMS = 10;

/** Streams that may never carry a byte of their answers. */
const openStalledStreams = ({ ports, proxy }: ProxiedApp) => {
  const session: ClientHttp2Session = connectHttp2(`https://localhost:${ports.https}`, {
    ca: proxy.ca,
    settings: { initialWindowSize: 0 },
  }).on('error', () => {});
  const closed = Array.from({ length: STREAMS }, () => {
    const stream = session.request({ ':path': LARGE_PATH }).on('error', () => {});
    stream.resume();
    return new Promise<number>((resolve) => stream.once('close', () => resolve(stream.rstCode ?? 0)));
  });
  return { session, closed };
};

/** Not `once`: a reset is a way to close, too. */
const gone = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** A visit by HTTP/1.1, and the proxy's connection to the server that serves it. */
const visitLarge = async (
  app: ProxiedApp,
  query = '',
): Promise<{ visitor: TLSSocket; leftServer: Promise<void> }> => {
  const accepted = once(app.test.app.server.server, 'connection') as Promise<[Socket]>;
  const visitor = connectTls({ port: app.ports.https, servername: 'localhost', ca: app.proxy.ca });
  visitor.on('error', () => {}).pause();
  visitor.write(`GET ${LARGE_PATH}${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [toServer] = await accepted;
  return { visitor, leftServer: gone(toServer) };
};

describe.runIf(nginx.installed)('behind nginx', () => {
  it('HTTP/2 streams that nobody reads are closed', async () => {
    await using app = await startProxiedApp(nginx, {}, nginx.impatience);
    const { session, closed } = openStalledStreams(app);
    expect(await Promise.all(closed)).not.toContain(constants.NGHTTP2_NO_ERROR);
    session.destroy();
  });
});

describe.runIf(caddy.installed)('behind Caddy', () => {
  it('an answer that nobody reads is given up, and so is the connection to the server', async () => {
    await using app = await startProxiedApp(caddy, {}, caddy.impatience);
    const { visitor, leftServer } = await visitLarge(app);
    await leftServer;
    let received = 0;
    visitor.on('data', (chunk) => (received += chunk.length)).resume();
    await gone(visitor);
    expect(received).toBeLessThan(LARGE_BYTES);
  });

  it('the server gives up HTTP/2 streams that nobody reads, also where Caddy does not', async () => {
    await using app = await startProxiedApp(caddy);
    const { server } = app.test.app.server;
    server.setTimeout(100);
    const leaving: Promise<void>[] = [];
    const allCame = new Promise<void>((resolve) => {
      server.on('connection', (socket) => {
        if (leaving.push(gone(socket)) === STREAMS) resolve();
      });
    });
    const { session } = openStalledStreams(app);
    await allCame;
    await Promise.all(leaving);
    session.destroy();
  });

  it('nothing is logged of visits that are broken off', async () => {
    await using app = await startProxiedApp(caddy);
    for (let n = 0; n < 5; n += 1) {
      const { visitor, leftServer } = await visitLarge(app, `?id=${ID}`);
      visitor.resume();
      await once(visitor, 'data');
      visitor.destroy();
      await leftServer;
    }
    expect((await app.ask({ path: '/healthz' })).status).toBe(200);
    expect(app.proxy.log()).not.toMatch(/reverse_proxy|441997505123577857/);
  });
});
