import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { MAX_WAITING_REQUESTS } from '#server/http/connections/serialize-pipelining.ts';
import { createTally, type FuzzResult } from './tally.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { sum } from '../suites/load/figures.ts';
import { residentBytes } from '../suites/process-figures.ts';

const PATH = '/donate';
const SOCKETS = 500;
const WARM_UP = 5_000;
const PINGS = 50;
const MAX_GROWTH_MIB = 64;

const rssMiB = (pid: number): number => residentBytes(pid) / 2 ** 20;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const openStalled = (port: number, text: string): Socket =>
  connect(port, '127.0.0.1', function (this: Socket) {
    this.write(text);
  })
    .on('error', () => {})
    .pause();

const warmUp = async (origin: string): Promise<void> => {
  const agent = new Agent({ connections: 10 });
  const visit = async (): Promise<void> => {
    const { body } = await request(`${origin}${PATH}`, { dispatcher: agent });
    await body.dump();
  };
  for (let n = 0; n < WARM_UP; n += 10) await Promise.all(Array.from({ length: 10 }, visit));
  await agent.close();
};

type Attack = { readonly requests: number; readonly env: Readonly<Record<string, string>> };

/** Many connections that ask for pages and read nothing, while another visitor wants to see one. */
const attack = async ({ requests, env }: Attack): Promise<FuzzResult> => {
  const tally = createTally();
  await using server = startAppProcess(env);
  const origin = await server.origin;
  await warmUp(origin);
  const before = rssMiB(server.pid);
  const port = Number(new URL(origin).port);
  const sockets = Array.from({ length: SOCKETS }, () => openStalled(port, get(PATH).repeat(requests)));
  let most = before;
  const visitor = new Agent({ localAddress: '127.9.9.9' });
  for (let n = 0; n < PINGS; n += 1) {
    const { statusCode, body } = await request(`${origin}${PATH}`, { dispatcher: visitor, reset: true });
    await body.dump();
    most = Math.max(most, rssMiB(server.pid));
    tally.check(statusCode === 200, () => `a visitor got ${statusCode}`);
    await pause(50);
  }
  for (const socket of sockets) socket.destroy();
  await visitor.close();
  const grown = most - before;
  tally.check(grown < MAX_GROWTH_MIB, () => `grew by ${grown.toFixed(0)} MiB`);
  return { note: `grew by ${grown.toFixed(0)} MiB`, ...tally.result(), count: SOCKETS * requests };
};

/** From one address, and from a proxy, whose connections are not counted: there the other bounds hold by themselves. */
export const sendWithoutReading = async (): Promise<FuzzResult> => {
  const results: FuzzResult[] = [];
  for (const env of [{}, { TRUSTED_PROXIES: '127.0.0.1/32' }])
    for (const requests of [2_000, MAX_WAITING_REQUESTS + 1]) results.push(await attack({ requests, env }));
  return {
    count: sum(results.map(({ count }) => count)),
    broken: sum(results.map(({ broken }) => broken)),
    note: results.map(({ note }) => note).join(', '),
  };
};
