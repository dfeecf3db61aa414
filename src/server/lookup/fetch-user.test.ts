import { expect, it } from 'vitest';
import { LOOKUP_MS } from '#server/deadlines.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import { ticketsOf } from '#server/pool/fair-order.ts';
import { codeOf } from '#test/support/fake-time-servers.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFetchUser, createRetryBudget } from './fetch-user.ts';

it('a token that never comes, as from a database that hangs, is not waited for any longer', async () => {
  const system = createFakeSystem();
  const pool = { lease: () => new Promise<never>(() => {}) } as unknown as TokenPool;
  const ended: string[] = [];
  const fetchUser = createFetchUser(system, pool, (outcome) => void ended.push(outcome));
  const tickets = ticketsOf({ network: 0, work: 1 });
  const refused = codeOf(fetchUser('1' as Snowflake, tickets, new AbortController().signal));
  await system.advance(LOOKUP_MS);
  expect(await refused).toBe('pool-busy');
  expect(ended).toEqual(['pool-busy']);
});

it('retries of lookups are not saved up: after ten thousand that went well a hundred failures have eleven', () => {
  const budget = createRetryBudget();
  for (let n = 0; n < 10_000; n += 1) budget.deposit();
  const retries = Array.from({ length: 100 }, () => budget.withdraw(0)).filter(Boolean).length;
  expect(retries).toBeLessThanOrEqual(11);
});
