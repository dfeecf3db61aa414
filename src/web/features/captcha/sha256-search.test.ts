import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNumberSearch } from './sha256-search.ts';

const SALT = '0123456789abcdef01234567?expires=1763170000&';

/** By the platform's own implementation. */
const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

type Question = { salt: string; number: number; from: number; to: number };

const search = async ({ salt, number, from, to }: Question): Promise<number | undefined> =>
  createNumberSearch({ salt, challenge: await sha256(salt + String(number)) })(from, to);

describe('the search for the number of a challenge', () => {
  it.each([0, 9, 10, 99, 100, 999, 1000, 12_345])('finds %i from zero', async (number) => {
    expect(await search({ salt: SALT, number, from: 0, to: 20_000 })).toBe(number);
  });

  it('agrees with the platform for any salt, whatever number of blocks it fills', async () => {
    const salts = fc.oneof(fc.string({ maxLength: 140 }), fc.string({ unit: 'grapheme', maxLength: 60 }));
    const numbers = fc.oneof(fc.nat({ max: 2000 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(salts, numbers, fc.nat({ max: 30 }), async (salt, number, before) => {
        const from = Math.max(0, number - before);
        expect(await search({ salt, number, from, to: number + 5 })).toBe(number);
      }),
    );
  });

  it.each([53, 54, 55, 56, 63, 64, 65, 118, 119, 128])('handles a salt of %i bytes', async (length) => {
    const salt = 'x'.repeat(length);
    expect(await search({ salt, number: 10, from: 0, to: 20 })).toBe(10);
    expect(await search({ salt, number: 1000, from: 990, to: 1010 })).toBe(1000);
  });

  it('keeps to its range', async () => {
    const question = { salt: SALT, number: 500 };
    expect(await search({ ...question, from: 0, to: 500 })).toBeUndefined();
    expect(await search({ ...question, from: 501, to: 2000 })).toBeUndefined();
    expect(await search({ ...question, from: 500, to: 500 })).toBeUndefined();
  });

  it('compares the whole digest, not only the word it looks at first', async () => {
    const digest = await sha256(`${SALT}7`);
    const challenge = `00000000${digest.slice(8)}`;
    expect(createNumberSearch({ salt: SALT, challenge })(0, 100)).toBeUndefined();
  });

  it.each(['', 'abc', 'z'.repeat(64), 'a'.repeat(96)])(
    'finds nothing for the malformed challenge %j',
    (challenge) => {
      expect(createNumberSearch({ salt: SALT, challenge })(0, 100)).toBeUndefined();
    },
  );
});
