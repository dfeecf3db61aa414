import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FaultSettings } from './faults.ts';
import { startSandbox, type SandboxUnderTest } from '#test/support/sandbox-client.ts';

const USER = '/users/441997505123577857';

it('a fault can be of a share of all requests, the same ones every time', async () => {
  const run = async (): Promise<number> => {
    await using server = await startSandbox({ limit: 1_000, globalPerSecond: 1_000 });
    server.sandbox.faults.set({ status: { value: 503, share: 0.3 } });
    for (let n = 0; n < 200; n += 1) await server.get(USER);
    return server.sandbox.stats().byStatus[503] ?? 0;
  };
  const hits = await run();
  expect(hits).toBeGreaterThan(30);
  expect(hits).toBeLessThan(90);
  expect(await run()).toBe(hits);
});

let server: SandboxUnderTest;
beforeAll(async () => {
  server = await startSandbox();
});
afterAll(() => server[Symbol.asyncDispose]());

const replyUnder = async (faults: FaultSettings) => {
  server.sandbox.faults.clear();
  server.sandbox.faults.set(faults);
  server.clock.nowMs += 60_000;
  return await server.get(USER);
};

it.each<[FaultSettings, number, string]>([
  [{ ban: 'text' }, 429, 'error code: 1015'],
  [{ ban: 'json' }, 429, '"code": 0'],
  [{ blocked40333: true }, 403, '{"message": "internal network error", "code": 40333}'],
])('the fault %j is answered with %i', async (faults, status, text) => {
  const { headers, ...reply } = await replyUnder(faults);
  expect(reply).toMatchObject({ status, text: expect.stringContaining(text) as string });
  expect(Object.keys(headers).join()).not.toMatch(/x-ratelimit|retry-after|via/);
});

it('a fault of a shared limit is held against nobody', async () => {
  const { invalid } = server.sandbox.stats();
  expect((await replyUnder({ sharedRateLimit: 1_500 })).headers).toMatchObject({
    'x-ratelimit-scope': 'shared',
    'x-ratelimit-remaining': '29',
  });
  expect(server.sandbox.stats().invalid).toBe(invalid);
  await replyUnder({ userRateLimit: true });
  expect(server.sandbox.stats().invalid).toBe(invalid + 1);
});
