import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../sandbox.ts';
import type { FaultSettings } from './faults.ts';
import { startSandbox, type SandboxUnderTest } from '#test/support/sandbox-client.ts';

const USER = '/users/441997505123577857';

describe('the scope of a fault', () => {
  it('can be a share of all requests, the same ones every time', async () => {
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

  it('ends with the fault, while others stay', () => {
    const { faults } = createSandbox();
    faults.set({ headerless: true, ban: 'json' });
    faults.set({ ban: false });
    expect(faults.current()).toEqual({ headerless: { value: true } });
  });
});

it('chaos damages some answers in several ways and leaves the others alone', { tags: 'slow' }, async () => {
  await using server = await startSandbox({ limit: 1_000, globalPerSecond: 1_000 });
  server.sandbox.faults.set({ chaos: 0.5 });
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => server.get(USER)));
  const sound = results.filter((result) => result.status === 'fulfilled' && result.value.status === 200);
  expect(sound.length).toBeGreaterThan(15);
  expect(Object.keys(server.sandbox.stats().byStatus).length).toBeGreaterThan(3);
  expect(results.some((result) => result.status === 'rejected')).toBe(true);
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

/** What the server's tests would not notice: all other faults make a lookup there end differently. */
describe('a fault', () => {
  it.each<[FaultSettings, number, string]>([
    [{ ban: 'text' }, 429, 'error code: 1015'],
    [{ ban: 'json' }, 429, '"code": 0'],
    [{ blocked40333: true }, 403, '{"message": "internal network error", "code": 40333}'],
  ])('%j', async (faults, status, text) => {
    const { headers, ...reply } = await replyUnder(faults);
    expect(reply).toMatchObject({ status, text: expect.stringContaining(text) as string });
    expect(Object.keys(headers).join()).not.toMatch(/x-ratelimit|retry-after|via/);
  });

  it('of a shared limit is held against nobody', async () => {
    const { invalid } = server.sandbox.stats();
    expect((await replyUnder({ sharedRateLimit: 1_500 })).headers).toMatchObject({
      'x-ratelimit-scope': 'shared',
      'x-ratelimit-remaining': '29',
    });
    expect(server.sandbox.stats().invalid).toBe(invalid);
    await replyUnder({ userRateLimit: true });
    expect(server.sandbox.stats().invalid).toBe(invalid + 1);
  });

  it('of the headers leaves the limit out, or gets the time wrong', async () => {
    const bare = await replyUnder({ headerless: true });
    expect(Object.keys(bare.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    const { headers } = await replyUnder({ clockSkewMs: -3_600_000 });
    const realReset = server.clock.nowMs / 1000 + Number(headers['x-ratelimit-reset-after']);
    expect(realReset - Number(headers['x-ratelimit-reset'])).toBeCloseTo(3_600, 3);
    expect(headers['date']).toBe(new Date(server.clock.nowMs - 3_600_000).toUTCString());
  });
});
