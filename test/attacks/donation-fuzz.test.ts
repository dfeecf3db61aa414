// @module-tag slow
import { describe, expect, it } from 'vitest';
import { scan, searchForCanaries } from './canary-run.ts';
import { donateMuchJunk } from './junk-donations.ts';
import { killDuringDonations } from './kill-run.ts';
import { killDuringMigration } from './migration-kills.ts';
import { createTally } from './tally.ts';

const SEED = 20_261_115;

/** Short passes of what `npm run assurance` does at length. */
describe(`with seed ${SEED}`, () => {
  it('of much junk little reaches the platform, and lookups go on', async () => {
    expect(await donateMuchJunk(SEED, 300)).toEqual({
      count: 309,
      broken: 0,
      note: '100 reached the platform',
    });
  });

  it('no kill loses a donation or undoes a withdrawal', async () => {
    expect(await killDuringDonations(SEED, 3)).toMatchObject({ count: 3, broken: 0 });
  });

  it('no kill leaves a database that the next start cannot go on from', async () => {
    expect(await killDuringMigration(SEED, 3)).toMatchObject({ count: 3, broken: 0 });
  });

  it('no donated token is in anything that leaves the server', async () => {
    const { broken, note } = await searchForCanaries(SEED);
    expect([broken, note]).toEqual([0, expect.stringMatching(/^statuses 200 201 400 /)]);
  });
});

describe('the search for canaries', () => {
  const CANARY = 'aaaaaa.bbbbbb.cccccc';

  it.each([
    CANARY,
    Buffer.from(CANARY).toString('base64'),
    Buffer.from('cccccc').toString('hex'),
    'bbbbbb',
    'cccccc.bbbbbb.aaaaaa',
    Buffer.from('aaaaaa', 'utf16le').toString('latin1'),
  ])('finds %j', (leak) => {
    const tally = createTally();
    scan(tally, new Map([['log', `before ${leak} after`]]), [CANARY]);
    expect(tally.result().broken).toBeGreaterThan(0);
  });
});
