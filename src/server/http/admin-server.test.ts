import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdminServer } from './admin-server.ts';

let ready = true;
let metricsFail = false;
const failures: unknown[] = [];
const server = createAdminServer({
  metrics: () => {
    if (metricsFail) throw new Error('secret detail');
    return 'whoflake_up 1\n';
  },
  onFailure: (error) => void failures.push(error),
  readTokens: async () => [{ bot: 'c0ffee', requests: 3 }],
  readiness: () => ({ ready, details: { pool: { healthy: 3 } } }),
});

beforeEach(async () => {
  [ready, metricsFail] = [true, false];
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

describe('the admin listener', () => {
  it('tells its health, its tokens and its metrics', async () => {
    expect(await ask('/livez')).toEqual([200, 'ok\n']);
    expect(await ask('/readyz')).toEqual([200, '{"ready":true,"pool":{"healthy":3}}\n']);
    expect(await ask('/tokens')).toEqual([200, '[{"bot":"c0ffee","requests":3}]\n']);
    expect(await ask('/metrics')).toEqual([200, 'whoflake_up 1\n']);
  });

  it('is not ready while it drains, but alive', async () => {
    ready = false;
    expect((await ask('/readyz'))[0]).toBe(503);
    expect((await ask('/livez'))[0]).toBe(200);
  });

  it('does not say why the metrics failed, but reports it', async () => {
    metricsFail = true;
    expect(await ask('/metrics')).toEqual([500, 'metrics failed\n']);
    expect(failures).toEqual([new Error('secret detail')]);
  });

  it('has no other path and no other method', async () => {
    for (const path of ['/', '/lookup', '/metrics/', '/metrics?x', '/livez/../metrics/..'])
      expect((await ask(path))[0]).toBe(404);
    expect((await ask('/metrics', 'POST'))[0]).toBe(405);
  });
});
