import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createReceipt, parseReceipt } from './receipt.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const receipts = Array.from({ length: 20 }, (_, seed) => createReceipt(createFakeSystem({ seed }).random));
const bodyOf = (receipt: string): string => receipt.replaceAll('-', '').slice(2);

/** Every text that comes of exchanging two different symbols. */
const exchanges = (body: string): string[] => {
  const symbols = body.split('');
  const texts = symbols.flatMap((first, at) =>
    symbols.map((second, other) => symbols.with(at, second).with(other, first).join('')),
  );
  return texts.filter((text) => text !== body);
};

it('a receipt is different each time, and reads back', () => {
  expect(new Set(receipts).size).toBe(receipts.length);
  for (const receipt of receipts) {
    expect(receipt).toMatch(/^WD(?:-[0-9A-HJKMNP-TV-Z]{5}){5}-[0-9A-HJKMNP-TV-Z]{2}$/);
    expect(parseReceipt(receipt)).toBe(bodyOf(receipt));
  }
});

it('a receipt may be typed in small letters, without its prefix or dashes, with look-alikes', () => {
  for (const receipt of receipts) {
    const spellings = [
      receipt.toLowerCase(),
      ` ${receipt}\n`,
      receipt.replaceAll('-', ' '),
      receipt.replaceAll('-', ''),
      receipt.slice(3),
      receipt.replaceAll('0', 'O').replaceAll('1', 'I'),
      receipt.replaceAll('0', 'o').replaceAll('1', 'l'),
    ];
    for (const spelling of spellings) expect(parseReceipt(spelling)).toBe(bodyOf(receipt));
  }
});

it('a receipt that begins with the letters of its prefix is read without it too', () => {
  const draws = [ALPHABET.indexOf('W'), ALPHABET.indexOf('D')];
  const random = { ...createFakeSystem().random, integer: () => draws.shift() ?? 7 };
  const receipt = createReceipt(random);
  expect(receipt).toMatch(/^WD-WD/);
  expect(parseReceipt(receipt.slice(3))).toBe(bodyOf(receipt));
  expect(parseReceipt(receipt)).toBe(bodyOf(receipt));
});

it('a receipt is refused with any one symbol wrong', () => {
  for (const body of receipts.map(bodyOf)) {
    for (let at = 0; at < body.length; at += 1) {
      for (const symbol of ALPHABET.replace(body[at] ?? '', ''))
        expect(parseReceipt(`WD${body.slice(0, at)}${symbol}${body.slice(at + 1)}`)).toBeNull();
    }
  }
});

it('a receipt is refused with any two symbols in each other’s place', () => {
  for (const body of receipts.map(bodyOf)) {
    for (const typed of exchanges(body)) expect([body, parseReceipt(typed)]).toEqual([body, null]);
  }
});

it.each(['', 'WD', 'WD-', receipts[0]?.slice(0, -1) ?? '', `${receipts[0]}0`, 'U'.repeat(27)])(
  'a receipt is not %j',
  (text) => expect(parseReceipt(text)).toBeNull(),
);
