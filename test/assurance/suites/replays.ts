import { fuzzReplays } from '#test/fuzz/replay-fuzz.ts';
import type { Suite } from '../suite.ts';

export const replays: Suite = {
  name: 'parallel uses of one proof, in 27 spellings',
  run: () => fuzzReplays({ spellings: 27, parallel: 200 }),
};
