import { realSystem } from '#server/system.ts';
import { fuzzSealedRows } from '#test/fuzz/tamper-fuzz.ts';
import type { Suite } from '../suite.ts';

export const sealedRows: Suite = {
  name: 'bit flips, cuts and swaps of sealed tokens',
  run: async () => fuzzSealedRows(realSystem, 12),
};
