import { expect, it } from 'vitest';
import { assembleAddress } from './address-buttons.ts';

it('leaves out what does not belong to the address', () => {
  const pieces = [
    { textContent: 'he', ariaHidden: null },
    { textContent: '.nospam', ariaHidden: 'true' },
    { textContent: 'y@a', ariaHidden: null },
    { textContent: 'q', ariaHidden: 'true' },
    { textContent: '.example', ariaHidden: null },
  ];
  expect(assembleAddress(pieces)).toBe('hey@a.example');
});
