import { expect, it } from 'vitest';
import { LOOKUP_MS } from '#server/deadlines.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { ticketsOf } from '#server/tokens/fair-order.ts';
import { codeOf } from '#test/support/fake-time-servers.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFetchUser } from './fetch-user.ts';

it('a lookup gets no more time because its request had to wait for its turn', async () => {
  const system = createFakeSystem();
  const deadlines: number[] = [];
  const lease = {
    getUser: async (_id: Snowflake, deadlineMs: number) => {
      deadlines.push(deadlineMs);
      system.stall(2_000);
      return { kind: 'failed', reason: 'timeout' } as const;
    },
  };
  const pool = { lease: async () => lease } as unknown as TokenPool;
  const fetchUser = createFetchUser(system, pool, () => {});
  const tickets = ticketsOf({ network: 0, block: 0, work: 1 });
  const refused = codeOf(fetchUser('1' as Snowflake, tickets, new AbortController().signal));
  await system.advance(LOOKUP_MS);
  expect([await refused, deadlines]).toEqual(['platform-timeout', [LOOKUP_MS, LOOKUP_MS]]);
});
