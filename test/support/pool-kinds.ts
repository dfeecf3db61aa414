import { createSecret, type BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { createTestPool, type TestPoolOptions } from './fake-platform.ts';
import { createFakeSystem, type FakeSystem } from './fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from './fake-time-state.ts';
import { POSTGRES_MISSING } from './postgres-server.ts';

export type PoolBench = {
  readonly system: FakeSystem;
  readonly pool: TokenPool;
  readonly pass: (ms: number) => Promise<void>;
};

export type PoolKind = {
  readonly kind: string;
  readonly missing: string | null;
  readonly start: (
    client: TestPoolOptions['client'],
    options?: Omit<TestPoolOptions, 'system' | 'client' | 'stores'>,
  ) => Promise<PoolBench>;
};

export const botToken = (botId: string, secret = `secret of ${botId}`): BotToken => ({
  botId,
  secret: createSecret(secret),
});

/** The pool of one process, and that of one server among several. */
export const usePoolKinds = (): readonly PoolKind[] => {
  const newDatabase = useFakeTimePostgres();
  return [
    {
      kind: 'in memory',
      missing: null,
      start: async (client, options = {}) => {
        const system = createFakeSystem();
        const { pool } = createTestPool({ system, client, ...options });
        return { system, pool, pass: system.advance };
      },
    },
    {
      kind: 'in PostgreSQL',
      missing: POSTGRES_MISSING,
      start: async (client, options = {}) => {
        const system = createFakeSystem();
        const { session, pool: messages, storesAt } = createFakeTimeSession(await newDatabase(), system);
        const { perSecond = 1e9 } = options;
        const { pool } = createTestPool({ system, client, ...options, stores: storesAt(perSecond) });
        await session.start();
        const pass = (ms: number) => passWithPools(system, [messages], { ms, stepMs: Math.max(5, ms / 100) });
        return { system, pool, pass };
      },
    },
  ];
};
