import { expect, it } from 'vitest';
import { createSecret, type BotToken } from '#server/platform/bot-token.ts';
import { createOwnTokens } from './own-tokens.ts';
import type { TokenPool } from './token-pool.ts';

const token = (botId: string, secret = botId): BotToken => ({ botId, secret: createSecret(secret) });

it('puts in what is new or changed, takes out what is gone but not fixed, and leaves the rest alone', () => {
  const calls: string[] = [];
  const pool: Pick<TokenPool, 'add' | 'remove'> = {
    add: ({ botId, secret }) => calls.push(`+${botId}:${secret.reveal()}`),
    remove: async (botId) => void calls.push(`-${botId}`),
  };
  const { replace } = createOwnTokens(pool, [token('f')], () => {});
  replace([token('a'), token('b'), token('c'), token('f')]);
  expect(calls.splice(0).join(' ')).toBe('+f:f +a:a +b:b +c:c +f:f');
  expect(replace([token('a'), token('b', 'reset')])).toEqual({ added: ['b'], removed: ['c', 'f'] });
  expect(calls.splice(0).join(' ')).toBe('-c +b:reset');
  expect(replace([token('a'), token('b', 'reset')])).toEqual({ added: [], removed: [] });
  expect(calls).toEqual([]);
});
