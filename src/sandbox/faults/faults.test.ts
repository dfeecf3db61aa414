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

  it('takes one fault off, or all', () => {
    const { faults } = createSandbox();
    faults.set({ headerless: true, ban: 'json' });
    faults.set({ ban: false });
    expect(faults.current()).toEqual({ headerless: { value: true } });
    faults.clear();
    expect(faults.current()).toEqual({});
  });

  it('is that of a fault there is', () => {
    expect(() => createSandbox().faults.set({ flood: true } as FaultSettings)).toThrow(
      'There is no fault "flood".',
    );
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
