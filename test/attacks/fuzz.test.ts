// @module-tag slow
import { expect, it } from 'vitest';
import { scan, searchForCanaries } from './canary-run.ts';
import { donateMuchJunk } from './junk-donations.ts';
import { killDuringDonations } from './kill-run.ts';
import { fuzzProfiles } from './profile-fuzz.ts';
import { fuzzProofs, replayProofs } from './proof-fuzz.ts';
import { createTally, type FuzzResult } from './tally.ts';

const SEED = 20_261_115;

// Short passes of what `npm run assurance` does at length.
it.each<[promise: string, run: () => FuzzResult | Promise<FuzzResult>, count: number]>([
  ['no mutation of a proof is accepted, and each proof is, once', () => fuzzProofs(SEED, 348), 348],
  ['of parallel uses of one proof, however spelled, one is accepted', () => replayProofs(15, 8), 120],
  ['no hostile profile gets an address, a colour or a field past us', () => fuzzProfiles(SEED, 500), 500],
  ['of much junk little reaches the platform, and lookups go on', () => donateMuchJunk(SEED, 200), 207],
  ['no kill loses a donation or undoes a withdrawal', () => killDuringDonations(SEED, 2), 2],
])(`with seed ${SEED} %s`, async (_, run, count) => {
  expect(await run()).toMatchObject({ count, broken: 0 });
});

it('no donated token is in anything that leaves the server', async () => {
  const { broken, note } = await searchForCanaries(SEED);
  expect([broken, note]).toEqual([0, expect.stringMatching(/^statuses 200 201 400 /)]);
});

const CANARY = 'aaaaaa.bbbbbb.cccccc';
it.each([
  Buffer.from(CANARY).toString('base64'),
  Buffer.from('cccccc').toString('hex'),
  'bbbbbb',
  'cccccc.bbbbbb.aaaaaa',
])('the search for donated tokens finds %j', (leak) => {
  const tally = createTally();
  scan(tally, new Map([['log', `before ${leak} after`]]), [CANARY]);
  expect(tally.result().broken).toBeGreaterThan(0);
});
