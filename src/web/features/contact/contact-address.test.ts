import { expect, it } from 'vitest';
import { assembleAddress } from './contact-address.tsx';

it('leaves out what does not belong to the address', () => {
  const pieces = [
    { text: 'he', decoy: false },
    { text: '.nospam', decoy: true },
    { text: 'y@a', decoy: false },
    { text: 'q', decoy: true },
    { text: '.example', decoy: false },
  ];
  expect(assembleAddress(pieces)).toBe('hey@a.example');
});
