import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAdminServer } from './admin-server.ts';

let ready = true;
let broken = false;
const failures: unknown[] = [];
const orBroken = <T>(told: T): T => {
  if (broken) throw new Error('secret detail');
  return told;
};
const server = createAdminServer({
  host: 'Admin.internal',
  metrics: () => orBroken('whoflake_up 1\n'),
  onFailure: (error) => void failures.push(error),
  readTokens: async () => orBroken([{ bot: 'c0ffee', requests: 3 }]),
  readiness: () => orBroken({ ready, pool: { healthy: 3 } }),
});

beforeEach(async () => {
  [ready, broken] = [true, false];
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => void server.close());

const ask = async (path: string, method = 'GET') => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { connection: 'close' },
  });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return [response.status, await response.text()];
};

it('the admin listener tells its health, its tokens and its metrics, and has nothing else', async () => {
  expect(await ask('/tokens')).toEqual([200, '[{"bot":"c0ffee","requests":3}]\n']);
  for (const path of ['/', '/lookup', '/metrics/', '/metrics?x', '/livez/../metrics/..'])
    expect((await ask(path))[0]).toBe(404);
  expect((await ask('/metrics', 'POST'))[0]).toBe(405);
});

it('the admin listener outlives whatever fails, does not say why, but reports it', async () => {
  broken = true;
  for (const path of ['/readyz', '/tokens', '/metrics'])
    expect(await ask(path)).toEqual([503, '{"ready":false,"error":"this cannot be read now"}\n']);
  expect(failures).toEqual(Array.from({ length: 3 }, () => new Error('secret detail')));
});

it.each([
  ['127.0.0.1:8082', 200],
  ['LOCALHOST', 200],
  ['admin.internal:8082', 200],
  ['rebound.example:8082', 421],
  ['[127.0.0.1].example', 421],
])('asked as %j, as a page of others may lead to it, the admin listener answers %i', async (host, status) => {
  const { port } = server.address() as AddressInfo;
  for (const path of ['/readyz', '/tokens', '/metrics']) {
    const sent = get(`http://127.0.0.1:${port}${path}`, { headers: { host }, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(status);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    if (status === 421) expect(await text(response)).toBe('unknown host\n');
  }
});
