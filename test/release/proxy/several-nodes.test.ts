import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { headerOf, httpExchange } from '#test/attacks/raw-exchange.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { caddy, startCaddy, type RunningProxy } from './proxies.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2'] as const;

/** All that Caddy sees of a node: what it answers, and whether it says that it is ready. */
const startNode = async (host: string, port: number, adminPort: number) => {
  const node = { isReady: true, stop: () => servers.map((server) => server.close().closeAllConnections()) };
  const servers = [
    createServer((_request, response) => response.end(host)).listen(port, host),
    createServer(({ url }, response) => {
      response.writeHead(url === '/readyz' && node.isReady ? 200 : 503).end();
    }).listen(adminPort, host),
  ];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return node;
};
type Node = Awaited<ReturnType<typeof startNode>>;

describe.skipIf(caddy.isMissing)('ops/Caddyfile.cluster', () => {
  let [first, other]: Node[] = [];
  let proxy: RunningProxy;
  let https = 0;
  beforeEach(async () => {
    const [http, port, adminPort] = [await freePort(), await freePort(), await freePort()];
    https = await freePort();
    // On one machine the nodes differ by address, and all of 127.0.0.0/8 is this machine.
    [first, other] = await Promise.all(HOSTS.map((host) => startNode(host, port, adminPort)));
    const NODES = HOSTS.map((host) => `${host}:${port}`).join(' ');
    proxy = await startCaddy('Caddyfile.cluster', { http, https }, { NODES, ADMIN_PORT: `${adminPort}` });
  });
  afterEach(async () => {
    await proxy?.[Symbol.asyncDispose]();
    for (const node of [first, other]) node?.stop();
  });

  const ask = async (): Promise<string> => {
    const options = { host: '127.0.0.1', servername: 'localhost', headers: { host: 'localhost' } };
    const agent = new Agent({ keepAlive: false });
    const answer = await httpExchange(request({ ...options, port: https, ca: proxy.ca, agent }));
    expect(headerOf(answer, 'server')).toBeUndefined();
    return `${answer.status} ${answer.body}`;
  };
  const askOften = async (): Promise<string[]> => {
    const answers = new Set<string>();
    for (let n = 0; n < 8; n += 1) answers.add(await ask());
    return [...answers].toSorted();
  };
  const sendsTo = (...hosts: string[]): Promise<void> =>
    vi.waitFor(async () => expect(await askOften()).toEqual(hosts.map((host) => `200 ${host}`)), EVENTUALLY);

  it('Caddy sends visitors to every node that is ready and to no other, and loses no page when one is gone', async () => {
    await sendsTo(...HOSTS);
    Object.assign(first ?? {}, { isReady: false });
    await sendsTo(HOSTS[1]);
    Object.assign(first ?? {}, { isReady: true });
    await sendsTo(...HOSTS);
    other?.stop();
    expect(await askOften()).toEqual([`200 ${HOSTS[0]}`]);
  });

  it('Caddy sends visitors to any node while none is ready: pages need no store', async () => {
    for (const node of [first, other]) Object.assign(node ?? {}, { isReady: false });
    await vi.waitFor(async () => {
      const started = performance.now();
      expect(await ask()).toMatch(/^200 127/);
      // By the detour, so that it is known to be none of those that are ready.
      expect(performance.now() - started).toBeGreaterThan(900);
    }, EVENTUALLY);
  });
});
