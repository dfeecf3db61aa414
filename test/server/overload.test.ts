import { request } from 'undici';
import { expect, it } from 'vitest';
import { readAdmin, readReadiness } from '#test/support/admin-client.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from './visitor.ts';

const KNOWN = '441997505123577857';

it('a server with more to do than it can refuses quickly and spends no proof, serves pages, and is ready again by itself', async () => {
  await using test = await startTestApp();
  const origin = await listenPublicly(test);
  const proof = await test.proof();
  const statusOf = async (path: string): Promise<number> => {
    const { statusCode, body } = await request(`${origin}${path}`);
    await body.dump();
    return statusCode;
  };
  expect(await readReadiness(test.app)).toMatchObject({ status: 200, body: { overloaded: false } });
  await statusOf('/challenge');
  // The loop is busy with requests that came before.
  test.system.stall(601);
  const refusal = await visit(origin, { id: KNOWN, proof }).answer;
  expect(refusal.status).toBe(503);
  expect(JSON.parse(refusal.body)).toMatchObject({ code: 'overloaded', retry_after: 2 });
  expect(refusal.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
  const paths = ['/challenge', '/status.json', '/nothing', '/', '/healthz'];
  const statuses = [];
  for (const path of paths) statuses.push(await statusOf(path));
  expect(statuses).toEqual([503, 503, 503, 200, 200]);
  expect(await readReadiness(test.app)).toMatchObject({ status: 503, body: { overloaded: true } });
  expect((await readAdmin(test.app, '/livez')).status).toBe(200);
  expect((await readAdmin(test.app, '/metrics')).text).toContain(
    'whoflake_http_errors_total{code="overloaded"} 4',
  );
  expect(test.sandbox.stats().requests).toBe(0);

  await test.system.advance(2_000);
  expect(await readReadiness(test.app)).toMatchObject({ status: 200 });
  expect((await test.settle(visit(origin, { id: KNOWN, proof }).answer)).status).toBe(200);
});
