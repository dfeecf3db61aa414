import { donateMuchJunk } from '#test/fuzz/junk-donations.ts';
import type { Suite } from '../suite.ts';

export const junk: Suite = {
  name: 'junk donations with valid proofs',
  run: (seed) => donateMuchJunk(seed, 20_000),
};
