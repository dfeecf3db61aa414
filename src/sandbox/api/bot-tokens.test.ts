import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { createBotTokens } from './bot-tokens.ts';

const PUBLIC_TOKEN_SHAPE = /^[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,38}$/;
const idIn = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

describe('bot tokens', () => {
  it('have the shape of real ones and carry a plausible bot id, different for every number', () => {
    const tokens = createBotTokens('seed');
    const ids = new Set<string>();
    for (let n = 0; n < 500; n += 1) {
      const token = tokens.mint(n);
      expect(token).toMatch(PUBLIC_TOKEN_SHAPE);
      expect(tokens.botIdOf(token)).toBe(idIn(token));
      expect(tokens.isBot(idIn(token))).toBe(true);
      ids.add(idIn(token));
    }
    expect(ids.size).toBe(500);
    expect(createBotTokens('seed').mint(7)).toBe(tokens.mint(7));
    expect(createBotTokens('other').botIdOf(tokens.mint(7))).toBeUndefined();
  });

  it('refuses every change of a token and any other text', () => {
    const tokens = createBotTokens('seed');
    const token = tokens.mint(3);
    for (const index of token.split('').keys()) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      expect(tokens.botIdOf(changed)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => tokens.botIdOf(text) === undefined));
  });

  it('keeps the bot id through a reset and refuses the older tokens', () => {
    const tokens = createBotTokens('seed');
    const first = tokens.mint(1);
    const second = tokens.reset(first);
    expect(tokens.botIdOf(second)).toBe(idIn(first));
    const third = tokens.reset(first);
    expect([first, second, third].map(tokens.botIdOf)).toEqual([undefined, undefined, idIn(first)]);
    expect(tokens.mint(1)).toBe(third);
    expect(() => tokens.reset('nonsense')).toThrow(UsageError);
  });

  it('revokes one, or all that were made so far', () => {
    const tokens = createBotTokens('seed');
    const [a, b] = [tokens.mint(1), tokens.mint(2)];
    tokens.botIdOf(a);
    tokens.revoke(a);
    expect(tokens.botIdOf(a)).toBeUndefined();
    expect(tokens.botIdOf(b)).toBeDefined();
    tokens.revokeAll();
    expect(tokens.botIdOf(b)).toBeUndefined();
    expect(tokens.botIdOf(tokens.mint(2))).toBe(idIn(b));
  });
});
