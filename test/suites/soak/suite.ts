import { plainSuite } from '../suite.ts';
import { runOverload } from './overload.ts';
import { runSteady } from './steady.ts';

export const suite = plainSuite({
  about:
    'Steady: lookups at a steady rate on a platform with chaos. Overload: ten times what the server can do.',
  options: { minutes: 10, 'per-second': 200, seed: 0 },
  parts: () => [
    { name: 'steady', run: runSteady },
    { name: 'overload', run: runOverload },
  ],
});
