import { expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { createMemoryPlatformStore } from '#server/platform/platform-store.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { codeOf } from '#test/support/fake-time-servers.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { createMemoryTokenStore, type TokenStore } from './token-store.ts';

/** A pool of one token, whose store does this when the token is taken. */
const lease = async (write: (tokens: TokenStore) => Promise<boolean>) => {
  const system = createFakeSystem();
  const { clock } = system;
  const tokens = createMemoryTokenStore(clock);
  const stores = {
    platform: createMemoryPlatformStore(clock, 1e9),
    tokens: { ...tokens, write: () => write(tokens) },
  };
  const { pool, platform } = createTestPool({ system, client: {}, stores });
  pool.add(botToken('a'));
  return { code: await codeOf(pool.lease()), inFlight: platform.inFlight() };
};

it('a permit goes back if somebody else has taken the last token meanwhile', async () => {
  const write = async (tokens: TokenStore): Promise<boolean> => {
    for (const id of (await tokens.states()).keys()) await tokens.remove(id);
    return false;
  };
  expect(await lease(write)).toEqual({ code: 'pool-empty', inFlight: 0 });
});

it('a permit goes back if PostgreSQL is lost before the token is taken', async () => {
  const write = () => Promise.reject(new AppError('store-unavailable'));
  expect(await lease(write)).toEqual({ code: 'store-unavailable', inFlight: 0 });
});
