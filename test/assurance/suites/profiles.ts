import { fuzzProfiles } from '#test/fuzz/profile-fuzz.ts';
import type { Suite } from '../suite.ts';

export const profiles: Suite = {
  name: 'hostile profiles',
  run: async (seed) => fuzzProfiles(seed, 20_000),
};
