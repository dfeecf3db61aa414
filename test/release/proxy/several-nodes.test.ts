import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { headerOf, httpExchange } from '#test/attacks/raw-exchange.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { caddy, startCaddy } from './caddy.ts';
import { shippedFile, type RunningProxy } from './proxy-process.ts';

/** All that Caddy sees of a node: what it answers, and whether it says that it is ready. */
type Node = { readonly host: string; isReady: boolean; readonly stop: () => Promise<void> };

const close = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
};

const startNode = async (host: string, port: number, adminPort: number): Promise<Node> => {
  const site = createServer((_request, response) => response.end(host)).listen(port, host);
  const admin = createServer((incoming, response) => {
    response.writeHead(incoming.url === '/readyz' && node.isReady ? 200 : 503).end();
  }).listen(adminPort, host);
  await Promise.all([once(site, 'listening'), once(admin, 'listening')]);
  const stop = async (): Promise<void> => void (await Promise.all([site, admin].map(close)));
  const node: Node = { host, isReady: true, stop };
  return node;
};

describe.runIf(caddy.installed)('ops/Caddyfile.cluster', () => {
  let nodes: Node[];
  let proxy: RunningProxy;
  let https: number;

  beforeEach(async () => {
    const [http, port, adminPort] = [await freePort(), await freePort(), await freePort()];
    https = await freePort();
    // On one machine the nodes differ by address, and all of 127.0.0.0/8 is this machine.
    nodes = await Promise.all(['127.0.0.1', '127.0.0.2'].map((host) => startNode(host, port, adminPort)));
    proxy = await startCaddy(
      shippedFile('Caddyfile.cluster'),
      { http, https },
      { NODES: nodes.map(({ host }) => `${host}:${port}`).join(' '), ADMIN_PORT: String(adminPort) },
    );
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await Promise.all(nodes.map(({ stop }) => stop()));
  });

  const ask = async (): Promise<string> => {
    const answer = await httpExchange(
      request({
        host: '127.0.0.1',
        port: https,
        servername: 'localhost',
        ca: proxy.ca,
        agent: new Agent({ keepAlive: false }),
        headers: { host: 'localhost' },
      }),
    );
    expect(headerOf(answer, 'server')).toBeUndefined();
    return `${answer.status} ${answer.body}`;
  };
  const askOften = async (): Promise<string[]> => {
    const answers: string[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(await ask());
    return [...new Set(answers)].toSorted();
  };

  const sendsTo = (...hosts: string[]): Promise<void> =>
    vi.waitFor(async () => expect(await askOften()).toEqual(hosts.map((host) => `200 ${host}`)), EVENTUALLY);

  it('sends visitors to every node that is ready, and to no other', async () => {
    await sendsTo('127.0.0.1', '127.0.0.2');
    (nodes[0] as Node).isReady = false;
    await sendsTo('127.0.0.2');
    (nodes[0] as Node).isReady = true;
    await sendsTo('127.0.0.1', '127.0.0.2');
  });

  it('loses no page when a node is gone', async () => {
    await sendsTo('127.0.0.1', '127.0.0.2');
    await nodes[1]?.stop();
    expect(await askOften()).toEqual(['200 127.0.0.1']);
  });

  it('sends visitors to any node while none is ready: pages need no store', async () => {
    for (const node of nodes) node.isReady = false;
    await vi.waitFor(async () => {
      const started = performance.now();
      expect(await ask()).toMatch(/^200 127/);
      // By the detour, so that it is known to be none of those that are ready.
      expect(performance.now() - started).toBeGreaterThan(900);
    }, EVENTUALLY);
  });
});

it('says what ops/Caddyfile says, but for the nodes', () => {
  const linesOf = (name: string): string[] =>
    readFileSync(shippedFile(name), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  const cluster = new Set(linesOf('Caddyfile.cluster'));
  expect(linesOf('Caddyfile').filter((line) => !cluster.has(line))).toEqual([
    'reverse_proxy {$UPSTREAM:127.0.0.1:8080} {',
    'lb_try_duration 10s',
    'lb_try_interval 200ms',
  ]);
});
