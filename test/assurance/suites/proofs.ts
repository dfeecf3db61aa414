import { fuzzProofs } from '#test/fuzz/proof-fuzz.ts';
import type { Suite } from '../suite.ts';

export const proofs: Suite = {
  name: 'respelled and mutated proofs',
  run: (seed) => fuzzProofs(seed, 50_000),
};
