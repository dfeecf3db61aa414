import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { caddy } from './caddy.ts';
import { nginx } from './nginx.ts';
import { startProxiedApp, type Ask, type ProxiedApp } from './proxied-app.ts';

const stopServer = async ({ test }: ProxiedApp): Promise<void> => {
  const { server } = test.app.server;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
};

const startServer = ({ test, ports }: ProxiedApp): void =>
  void test.app.server.server.listen(ports.upstream, '127.0.0.1');

/** Takes the server's place until the proxy has tried to reach it, and leaves without a word. */
const comeAndGo = async ({ ports }: ProxiedApp): Promise<void> => {
  const passing = createServer((socket) => socket.destroy()).listen(ports.upstream, '127.0.0.1');
  await once(passing, 'connection');
  passing.close();
  await once(passing, 'close');
};

const POST: Ask = {
  path: '/lookup',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'content-length': '20' },
  body: '{"discord_id":"007"}',
};

describe.each([caddy, nginx].filter(({ installed }) => installed))('behind $name', (proxy) => {
  it('requests wait while the server restarts', async () => {
    await using app = await startProxiedApp(proxy);
    expect((await app.ask({ path: '/healthz' })).status).toBe(200);
    await stopServer(app);
    const answers = Promise.all([app.ask({ path: '/healthz' }), app.ask({ path: '/status.json' })]);
    await comeAndGo(app);
    startServer(app);
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('a post that was sent is never sent again', async () => {
    await using app = await startProxiedApp(proxy);
    const arrived = app.breakOff();
    expect((await app.ask(POST)).status).toBe(502);
    expect(arrived()).toBe(1);
  });
});

// Caddy has lost the body by then: https://github.com/caddyserver/caddy/issues/7546
describe.runIf(nginx.installed)('behind nginx', () => {
  it('a post that has reached nobody waits as well, and arrives whole', async () => {
    await using app = await startProxiedApp(nginx);
    await stopServer(app);
    const answer = app.ask(POST);
    // Which the proxy does by itself, and has looked for the server meanwhile.
    for (let n = 0; n < 50; n += 1) await app.askPlainly({ path: '/' });
    startServer(app);
    const { status, body } = await answer;
    expect([status, body]).toEqual([400, expect.stringContaining('id-malformed')]);
  });

  it('a request is given up after some tries', async () => {
    await using app = await startProxiedApp(
      nginx,
      {},
      { 'auth_delay 1s': 'auth_delay 1ms', 'auth_delay 2500ms': 'auth_delay 1ms' },
    );
    const tries = app.breakOff();
    expect((await app.ask({ path: '/healthz' })).status).toBe(502);
    expect(tries()).toBe(5);
  });
});
