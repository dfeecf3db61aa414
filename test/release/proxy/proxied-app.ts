import { once } from 'node:events';
import { request as requestPlainly, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { httpExchange, openPort } from '#test/attacks/raw-exchange.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestApp } from '#test/support/test-app.ts';
import type { Changes, Proxy } from './proxies.ts';

export type Ask = {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** The visitor's own address: all of 127.0.0.0/8 is this machine. */
  readonly from?: string;
};

export type ProxiedApp = Awaited<ReturnType<typeof startProxiedApp>>;

/** A redirect such as a vanity link's, to an address that a proxy might take for its own and rewrite. */
export const REDIRECT = { path: '/a-redirect', location: 'http://whoflake/invite/%E2%82%AC?a=b#c' };
/** Below it lie pages that say where they lie, uncompressed. */
export const ECHO_PATH = '/echo/';
/** Below it lies more than all the buffers on the way can hold. */
export const LARGE_PATH = '/large';
export const LARGE_BYTES = 32 * 2 ** 20;

const optionsOf = ({ path, method = 'GET', headers = {}, from = '127.0.0.1' }: Ask, port: number) => ({
  host: '127.0.0.1',
  servername: 'localhost',
  localAddress: from,
  port,
  path,
  method,
  headers: { host: 'localhost', ...headers },
});

export const startProxiedApp = async (proxy: Proxy, changes: Changes = {}) => {
  const env = { PUBLIC_URL: 'https://localhost', TRUSTED_PROXIES: '127.0.0.1/32', LOOKUPS_PER_MINUTE: '20' };
  const test = await startTestApp({ env });
  const { server } = test.app;
  server.get(REDIRECT.path, (_request, reply) => reply.redirect(REDIRECT.location));
  server.get(`${ECHO_PATH}*`, ({ raw }, reply) =>
    reply.type('text/html').send(`This is ${raw.url}`.repeat(10)),
  );
  server.get(LARGE_PATH, (_request, reply) => void reply.send(Buffer.alloc(LARGE_BYTES)));
  const upstream = await openPort(test.app);
  const ports = { http: await freePort(), https: await freePort(), upstream };
  const running = await proxy.start(ports, changes);
  const agent = new Agent({ keepAlive: true, ca: running.ca });
  return {
    test,
    proxy: running,
    ports,
    /** Has the server break off every request from now on. Tells how many have come. */
    breakOff: () => {
      let arrived = 0;
      server.server.removeAllListeners('request').on('request', ({ socket }: IncomingMessage) => {
        arrived += 1;
        socket.destroy();
      });
      return () => arrived;
    },
    stopServer: async (): Promise<void> => {
      server.server.close();
      server.server.closeAllConnections();
      await once(server.server, 'close');
    },
    startServer: (): void => void server.server.listen(upstream, '127.0.0.1'),
    ask: (ask: Ask) => httpExchange(request({ ...optionsOf(ask, ports.https), agent }), ask.body),
    /** Past the proxy. */
    askServer: (ask: Ask) => httpExchange(requestPlainly(optionsOf(ask, upstream)), ask.body),
    /** Without TLS. */
    askPlainly: (ask: Ask) => httpExchange(requestPlainly(optionsOf(ask, ports.http)), ask.body),
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      await running[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
};
