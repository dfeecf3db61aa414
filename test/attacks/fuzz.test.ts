import { describe, expect, it } from 'vitest';
import { fuzzClientAddresses } from './client-address-fuzz.ts';
import { fuzzProfiles } from './profile-fuzz.ts';
import { fuzzProofs } from './proof-fuzz.ts';
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
