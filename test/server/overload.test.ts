import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { readAdmin, readReadiness } from '#test/support/admin-client.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from './visitor.ts';

const KNOWN = '441997505123577857';

/** The loop is busy with requests that came before, and was so in the turn before. */
const holdUp = async ({ system }: TestApp, origin: string): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) {
    await system.advance(0);
    await (await request(`${origin}/challenge`)).body.dump();
    system.stall(270);
  }
};

const READY = { status: 200, body: { overloaded: false } };
const OVERLOADED = { status: 503, body: { overloaded: true } };

describe('a server with more to do than it can', () => {
  it('refuses quickly, without spending the proof, and says when to come back', async () => {
    await using test = await startTestApp();
    const origin = await listenPublicly(test);
    const proof = await test.proof();
    await holdUp(test, origin);
    const refusal = await visit(origin, { id: KNOWN, proof }).answer;
    expect([refusal.status, JSON.parse(refusal.body)]).toEqual([
      503,
      {
        error: 'Too many people are looking things up right now. Please try again in a moment.',
        code: 'overloaded',
        retry_after: 2,
      },
    ]);
    expect(refusal.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
    expect(test.sandbox.stats().requests).toBe(0);

    await test.system.advance(0);
    expect((await test.settle(visit(origin, { id: KNOWN, proof }).answer)).status).toBe(200);
  });

  it('is alive, not ready, and serves pages; then it is ready again by itself', async () => {
    await using test = await startTestApp();
    const origin = await listenPublicly(test);
    expect(await readReadiness(test.app)).toMatchObject(READY);
    await holdUp(test, origin);
    const statuses: Record<string, number> = {};
    for (const path of ['/challenge', '/status.json', '/nothing', '/', '/healthz']) {
      const { statusCode, body } = await request(`${origin}${path}`);
      await body.dump();
      statuses[path] = statusCode;
    }
    expect(statuses).toEqual({
      '/challenge': 503,
      '/status.json': 503,
      '/nothing': 503,
      '/': 200,
      '/healthz': 200,
    });
    expect(await readReadiness(test.app)).toMatchObject(OVERLOADED);
    expect((await readAdmin(test.app, '/livez')).status).toBe(200);
    expect((await readAdmin(test.app, '/metrics')).text).toContain(
      'whoflake_http_errors_total{code="overloaded"} 3',
    );
    await test.system.advance(2_000);
    expect(await readReadiness(test.app)).toMatchObject(READY);
  });
});
