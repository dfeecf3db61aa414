import { createSecret, type BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import { createMemoryPool } from './memory-pool.ts';
import { createFakePlatform, type FakePlatformOptions } from './fake-platform.ts';
import { createFakeSystem, type FakeSystem } from './fake-system.ts';
import { passWithStores } from './fake-time-store.ts';
import { REDIS_MISSING } from './redis-server.ts';
import { redisUrl } from './run-servers.ts';
import { startSharedNode } from './shared-node.ts';

export type PoolBench = {
  readonly system: FakeSystem;
  readonly pool: TokenPool;
  readonly pass: (ms: number) => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

type PoolKind = {
  readonly kind: string;
  readonly missing: string | null;
  readonly start: (
    client: FakePlatformOptions['client'],
    options?: Omit<FakePlatformOptions, 'system' | 'client'>,
  ) => Promise<PoolBench>;
};

export const botToken = (botId: string, secret = `secret of ${botId}`): BotToken => ({
  botId,
  secret: createSecret(secret),
});

/** The pool of one process, and that of one node among several. */
export const POOL_KINDS: readonly PoolKind[] = [
  {
    kind: 'in memory',
    missing: null,
    start: async (client, options = {}) => {
      const system = createFakeSystem();
      const platform = createFakePlatform({ system, client, ...options });
      const pool = createMemoryPool({ clock: system.clock, platform });
      return { system, pool, pass: system.advance, [Symbol.asyncDispose]: async () => {} };
    },
  },
  {
    kind: 'in a shared store',
    missing: REDIS_MISSING,
    start: async (client, options = {}) => {
      const system = createFakeSystem();
      const node = await startSharedNode({ system, url: await redisUrl(), client, ...options });
      const pass = (ms: number) =>
        passWithStores(system, [node.store], { ms, stepMs: Math.max(5, ms / 100) });
      // The first handshake with an empty store.
      await pass(1_050);
      return {
        system,
        pool: node.pool,
        pass,
        [Symbol.asyncDispose]: async () => node[Symbol.dispose](),
      };
    },
  },
];
