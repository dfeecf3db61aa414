import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNumberSearch } from './number-search.ts';
import { createSimdSearch } from './simd-search.ts';

const SALT = '0123456789abcdef01234567?expires=1763170000&';

/** By the platform's own implementation. */
const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

type Question = { salt: string; number: number; from: number; to: number };

describe.each([
  ['one number at a time', undefined],
  ['four numbers at a time', createSimdSearch()],
])('the search for the number of a challenge, %s', (_name, skipHundreds) => {
  const search = async ({ salt, number, from, to }: Question): Promise<number | undefined> =>
    createNumberSearch({ salt, challenge: await sha256(salt + String(number)) }, skipHundreds)(from, to);

  it.each([0, 9, 10, 99, 100, 999, 1000, 12_345])('the number %i is found from zero', async (number) => {
    expect(await search({ salt: SALT, number, from: 0, to: 20_000 })).toBe(number);
  });

  it('the number is the one of the platform’s own SHA-256, whatever the salt', async () => {
    const salts = fc.oneof(fc.string({ maxLength: 140 }), fc.string({ unit: 'grapheme', maxLength: 60 }));
    const numbers = fc.oneof(fc.nat({ max: 2000 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(salts, numbers, fc.nat({ max: 300 }), async (salt, number, before) => {
        const from = Math.max(0, number - before);
        expect(await search({ salt, number, from, to: number + 5 })).toBe(number);
      }),
    );
  });

  it('no number outside the range is found', async () => {
    const question = { salt: SALT, number: 550 };
    expect(await search({ ...question, from: 0, to: 550 })).toBeUndefined();
    expect(await search({ ...question, from: 551, to: 2000 })).toBeUndefined();
    expect(await search({ ...question, from: 550, to: 550 })).toBeUndefined();
  });

  it('a digest that agrees in part is not found', async () => {
    const digest = await sha256(`${SALT}777`);
    const challenge = `00000000${digest.slice(8)}`;
    expect(createNumberSearch({ salt: SALT, challenge }, skipHundreds)(0, 5000)).toBeUndefined();
  });

  it.each(['abc', 'z'.repeat(64), 'a'.repeat(96)])('nothing is found for a malformed %s', (challenge) => {
    expect(createNumberSearch({ salt: SALT, challenge }, skipHundreds)(0, 100)).toBeUndefined();
  });
});

it('four at a time are not searched where WebAssembly is missing, or the policy refuses to compile it', () => {
  const refused = () => {
    throw new Error('refused by the policy');
  };
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const wasm of [undefined, { Module: refused }]) {
    vi.stubGlobal('WebAssembly', wasm);
    expect(createSimdSearch()).toBeUndefined();
  }
});
