import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBotTokens } from './bot-tokens.ts';

const PUBLIC_TOKEN_SHAPE = /^[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,38}$/;
const idIn = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

describe('bot tokens', () => {
  it('have the shape of real ones and carry a plausible bot id, different for every number', () => {
    const tokens = createBotTokens();
    const ids = new Set<string>();
    for (let n = 0; n < 500; n += 1) {
      const token = tokens.mint(n);
      expect(token).toMatch(PUBLIC_TOKEN_SHAPE);
      expect(tokens.botIdOf(token)).toBe(idIn(token));
      expect(tokens.isBot(idIn(token))).toBe(true);
      ids.add(idIn(token));
    }
    expect(ids.size).toBe(500);
    expect(createBotTokens().mint(7)).toBe(tokens.mint(7));
  });

  it('refuses every change of a token and any other text', () => {
    const tokens = createBotTokens();
    const token = tokens.mint(3);
    for (const index of token.split('').keys()) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      expect(tokens.botIdOf(changed)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => tokens.botIdOf(text) === undefined));
  });
});
