import { killDuringDonations } from '#test/fuzz/kill-run.ts';
import type { Suite } from '../suite.ts';

export const kills: Suite = {
  name: 'kills during donations and withdrawals',
  run: (seed) => killDuringDonations(seed, 300),
};
