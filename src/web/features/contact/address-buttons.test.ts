import { expect, it } from 'vitest';
import { assembleAddress } from './address-buttons.ts';

const piece = (textContent: string, decoy = false) => ({ textContent, hasAttribute: () => decoy });

it('leaves out what does not belong to the address', () => {
  const pieces = [piece('he'), piece('.nospam', true), piece('y@a'), piece('q', true), piece('.example')];
  expect(assembleAddress(pieces)).toBe('hey@a.example');
});
