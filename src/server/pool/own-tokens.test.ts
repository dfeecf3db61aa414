import { expect, it } from 'vitest';
import { createSecret, type BotToken } from '#server/platform/bot-token.ts';
import { createOwnTokens } from './own-tokens.ts';
import type { TokenPool } from './token-pool.ts';

const token = (botId: string, secret = botId): BotToken => ({ botId, secret: createSecret(secret) });

const start = (fixed: readonly BotToken[] = []) => {
  const calls: string[] = [];
  const pool: Pick<TokenPool, 'add' | 'remove'> = {
    add: ({ botId, secret }) => calls.push(`+${botId}:${secret.reveal()}`),
    remove: async (botId) => void calls.push(`-${botId}`),
  };
  const own = createOwnTokens(pool, fixed, () => {});
  return { own, took: () => calls.splice(0).join(' ') };
};

it('puts in what is new or changed, takes out what is gone, and leaves the rest alone', () => {
  const { own, took } = start();
  expect(own.replace([token('a'), token('b'), token('c')])).toEqual({ added: ['a', 'b', 'c'], removed: [] });
  expect(took()).toBe('+a:a +b:b +c:c');
  expect(own.replace([token('a'), token('b', 'reset')])).toEqual({ added: ['b'], removed: ['c'] });
  expect(took()).toBe('-c +b:reset');
  expect(own.replace([token('a'), token('b', 'reset')])).toEqual({ added: [], removed: [] });
  expect(took()).toBe('');
});

it('never takes out what is fixed', () => {
  const { own, took } = start([token('a')]);
  own.replace([token('a')]);
  own.replace([]);
  expect(took()).toBe('+a:a');
});
