import { expect, it } from 'vitest';
import { createMemoryPlatformStore } from '#server/platform/platform-store.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { codeOf } from '#test/support/fake-time-servers.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { createMemoryTokenStore } from './memory-token-store.ts';

it('a permit goes back if somebody else has taken the last token meanwhile', async () => {
  const system = createFakeSystem();
  const { clock } = system;
  const tokens = createMemoryTokenStore({ clock });
  const write = async ({ id }: { id: string }) => {
    await tokens.remove(id);
    return false;
  };
  const stores = {
    platform: createMemoryPlatformStore({ clock, perSecond: 1e9 }),
    tokens: { ...tokens, write },
  };
  const { pool, platform } = createTestPool({ system, client: {}, stores });
  pool.add(botToken('a'));
  expect(await codeOf(pool.lease())).toBe('pool-empty');
  expect(platform.inFlight()).toBe(0);
});
