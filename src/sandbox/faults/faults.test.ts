import { describe, expect, it } from 'vitest';
import { createSandbox } from '../sandbox.ts';
import type { FaultSettings } from './faults.ts';
import { startSandbox } from '#test/support/sandbox-client.ts';

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

  it.each([
    [{ flood: true }, 'There is no fault "flood".'],
    [{ status: 418 }, 'does not take 418'],
    [{ ban: { form: 'xml' } }, 'does not take'],
    [{ ban: { form: 'text', retryAfterMs: 'long' } }, 'does not take'],
    [{ status: { value: 500, route: 'invites' } }, 'There is no route "invites".'],
  ])('refuses %j', (faults, problem) => {
    expect(() => createSandbox().faults.set(faults as unknown as FaultSettings)).toThrow(problem);
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
