import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createReceipt, parseReceipt } from './receipt.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const receipts = fc.nat().map((seed) => createReceipt(createFakeSystem({ seed }).random));
const bodyOf = (receipt: string): string => receipt.replaceAll('-', '').slice(2);

it('receipts differ, and are read as they were written', () => {
  fc.assert(
    fc.property(receipts, receipts, (receipt, other) => {
      expect(receipt).toMatch(/^WD(?:-[0-9A-HJKMNP-TV-Z]{5}){5}-[0-9A-HJKMNP-TV-Z]{2}$/);
      expect(parseReceipt(receipt)).toBe(bodyOf(receipt));
      expect(parseReceipt(other) === parseReceipt(receipt)).toBe(other === receipt);
    }),
  );
});

it.each<[how: string, type: (receipt: string) => string]>([
  ['in small letters with spaces', (receipt) => ` ${receipt.toLowerCase().replaceAll('-', ' ')}\n`],
  ['without its prefix', (receipt) => receipt.slice(3)],
  ['with small look-alikes', (receipt) => receipt.replaceAll('0', 'o').replaceAll('1', 'l')],
])('a receipt may be typed %s', (_, type) => {
  fc.assert(
    fc.property(receipts, (receipt) => {
      expect(parseReceipt(type(receipt))).toBe(bodyOf(receipt));
    }),
  );
});

it('a receipt is refused with one symbol wrong, or any two in each other’s place', () => {
  const at = fc.nat(26);
  fc.assert(
    fc.property(receipts, at, at, fc.constantFrom(...ALPHABET.split('')), (receipt, one, other, symbol) => {
      const body = bodyOf(receipt).split('');
      const [first = '', second = ''] = [body[one], body[other]];
      for (const typed of [body.with(one, symbol), body.with(one, second).with(other, first)].map((typed) =>
        typed.join(''),
      ))
        expect(parseReceipt(`WD${typed}`)).toBe(typed === body.join('') ? typed : null);
    }),
    { numRuns: 2_000 },
  );
});
