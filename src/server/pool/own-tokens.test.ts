import { expect, it } from 'vitest';
import { botToken } from '#test/support/pool-kinds.ts';
import { createOwnTokens } from './own-tokens.ts';

it('a reload puts in own tokens that are new or changed, takes out what is gone, and leaves what is fixed', () => {
  const calls: string[] = [];
  const pool = {
    add: ({ botId }: { botId: string }) => void calls.push(`+${botId}`),
    remove: async (botId: string) => void calls.push(`-${botId}`),
  };
  const own = createOwnTokens(pool, [botToken('fixed')], () => {});
  const took = (...tokens: ReturnType<typeof botToken>[]): string => {
    own.replace(tokens);
    return calls.splice(0).join(' ');
  };
  expect(took(botToken('a'), botToken('b'))).toBe('+fixed +a +b');
  expect(took(botToken('a', 'reset'), botToken('fixed'))).toBe('-b +a');
  expect(took()).toBe('-a');
});
