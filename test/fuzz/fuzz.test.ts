import { describe, expect, it } from 'vitest';
import { fuzzClientAddresses } from './client-address-fuzz.ts';
import { fuzzProfiles } from './profile-fuzz.ts';
import { fuzzProofs } from './proof-fuzz.ts';
import { isSameProof, respellProof } from './proof-spellings.ts';
import { fuzzReplays } from './replay-fuzz.ts';

const SEED = 20_261_115;
const noneOf = (count: number) => ({ count, broken: 0 });

/** Short passes of what `npm run assurance` does at length. */
describe(`with seed ${SEED}`, () => {
  it('no mutation of a proof is accepted, and each proof is, once', async () => {
    expect(await fuzzProofs(SEED, 3 * 103)).toEqual(noneOf(3 * 103));
  });

  it('of parallel uses of one proof, however spelled, one is accepted', async () => {
    expect(await fuzzReplays({ spellings: 27, parallel: 20 })).toEqual(noneOf(540));
  });

  it('no hostile profile gets an address, a colour or a field past us', () => {
    expect(fuzzProfiles(SEED, 500)).toEqual(noneOf(500));
  });

  it('no claim of another address makes a second visitor', async () => {
    expect(await fuzzClientAddresses(SEED, 300)).toEqual(noneOf(300));
  });
});

describe('the spellings', () => {
  const proof = { algorithm: 'SHA-256', challenge: 'ab', number: 7, salt: 'cd&', signature: 'ef', took: 12 };

  it('are many and all different', () => {
    const spellings = [...respellProof(proof).values()];
    expect(spellings.length).toBeGreaterThanOrEqual(25);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings).not.toContain(btoa(JSON.stringify(proof)));
  });

  it('are told from another took', () => {
    const original = btoa(JSON.stringify(proof));
    expect(isSameProof(btoa(JSON.stringify({ ...proof, took: 99 })), original)).toBe(true);
    for (const spelling of respellProof(proof).values()) expect(isSameProof(spelling, original)).toBe(false);
  });
});
