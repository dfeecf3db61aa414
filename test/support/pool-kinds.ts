import { createSecret, type BotToken } from '#server/platform/bot-token.ts';
import { createTestPool, type TestPoolOptions } from './fake-platform.ts';
import { createFakeSystem } from './fake-system.ts';

export const botToken = (botId: string, secret = `secret of ${botId}`): BotToken => ({
  botId,
  secret: createSecret(secret),
});

export type PoolKind = ReturnType<typeof usePoolKinds>[number];

/** The pool of one process. */
export const usePoolKinds = () => [
  {
    start: async (client: TestPoolOptions['client'], options: Partial<TestPoolOptions> = {}) => {
      const system = createFakeSystem();
      const { pool } = createTestPool({ ...options, system, client });
      return { system, pool, pass: system.advance };
    },
  },
];
