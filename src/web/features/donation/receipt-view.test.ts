import { expect, it } from 'vitest';
import { halvesOf } from './receipt-view.tsx';

it.each([
  ['WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S', ['WD-7H2KQ-9XRTM-4VBNC-', '8PWEZ-3JYGD-5S']],
  ['WD-1', ['WD-', '1']],
  ['WD', ['WD', '']],
])('breaks the receipt %s only in the middle', (receipt, halves) => {
  expect(halvesOf(receipt)).toEqual(halves);
});
