import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createMemoryState } from './memory-state.ts';

it('gives a ledger and limits that work on the system it was given', async () => {
  const system = createFakeSystem();
  const { ledger, limits } = createMemoryState({ system });
  const allowance = { count: 1, periodMs: 60_000, burst: 1 };
  const take = () => limits.take([{ limit: 'a', key: Buffer.alloc(16), allowance }]);

  expect(await ledger.consume('id', 60_000)).toBe('fresh');
  expect(await ledger.consume('id', 60_000)).toBe('used');
  expect(await take()).toEqual({ allowed: true, pressure: 1 });
  expect(await take()).toEqual({ allowed: false, retryAfterMs: 60_000 });
  await system.advance(60_000);
  expect(await take()).toEqual({ allowed: true, pressure: 1 });
});
