import { fuzzClientAddresses } from '#test/fuzz/client-address-fuzz.ts';
import type { Suite } from '../suite.ts';

export const clientAddresses: Suite = {
  name: 'addresses claimed by one visitor',
  run: (seed) => fuzzClientAddresses(seed, 10_000),
};
