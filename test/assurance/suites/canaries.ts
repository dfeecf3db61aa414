import { searchForCanaries } from '#test/fuzz/canary-run.ts';
import type { Suite } from '../suite.ts';

export const canaries: Suite = {
  name: 'donated tokens in anything that leaves the server',
  run: searchForCanaries,
};
