import { plainSuite } from '../suite.ts';
import { runSteady } from './steady.ts';

export const suite = plainSuite({
  about: 'Lookups at a steady rate on a platform with chaos.',
  options: { minutes: 10, 'per-second': 200, seed: 0 },
  parts: () => [{ name: 'steady', run: runSteady }],
});
