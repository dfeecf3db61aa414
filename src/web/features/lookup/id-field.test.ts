import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plausibleId } from './id-note.ts';
import { containsBotToken, readIdInput } from './id-field.ts';

// Made up here, so that no scanner takes this file for a leak.
const token = (id: string): string => [btoa(id).replaceAll('=', ''), 'GaBcDe', 'x'.repeat(38)].join('.');

it.each([
  [' 175928847299117063\n', '175928847299117063'],
  ['175 928 847 299 117 063', '175928847299117063'],
  ['\u200b175928847299117063\u2060', '175928847299117063'],
  ['https://discord.com/users/175928847299117063', '175928847299117063'],
  ['marlow.finch (175928847299117063)', '175928847299117063'],
  ['https://whoflake.example/?id=175928847299117063#content', '175928847299117063'],
  ['１７５９２８８４７２９９１１７０６３', '175928847299117063'],
  ['١٧٥٩٢٨٨٤٧٢٩٩١١٧٠٦٣', '175928847299117063'],
  ['用户175928847299117063的资料', '175928847299117063'],
  ['175928847299117063 80351110224678912', '175928847299117063 80351110224678912'],
  ['<#175928847299117063>', '<#175928847299117063>'],
  // What is left of it after a percent sign would be somebody else's.
  ['%3C%4080351110224678912%3E', '%3C%4080351110224678912%3E'],
  ['4.41998E+17 80351110224678912', '4.41998E+17 80351110224678912'],
])('the field shows %j as %j', (typed, text) =>
  expect(readIdInput(typed)).toEqual({ text, tokenSeen: false }),
);

it('the field keeps nothing of a bot token', () => {
  expect(readIdInput(`Bot ${token('80351110224678912')}`)).toEqual({ text: '', tokenSeen: true });
});

it('of a shared or pasted text only the beginning is looked at, and kept', () => {
  const long = 'a'.repeat(2_000);
  expect(readIdInput(`${long} 175928847299117063`)).toEqual({ text: long, tokenSeen: false });
  expect(containsBotToken(`${long} ${token('80351110224678912')}`)).toBe(false);
});

const anyId = fc.bigInt(10n ** 16n, 2n ** 63n - 1n).map(String);
const inText = fc.constantFrom('', ' ', '"', 'ID: ', 'id=', '\t', '(', '用户');
const asDecimal = (id: string, mark: string): string => `${id.slice(0, 1)}${mark}${id.slice(1)}`;
const DAMAGES: readonly ((id: string) => string)[] = [
  (id) => Number(id).toExponential().replace('.', ','),
  (id) => `${asDecimal(id, ',')}E+${id.length - 1}`,
  (id) => `${id}.0`,
  (id) => asDecimal(id, '.'),
  (id) => `0.${id}`,
  (id) => `0x${id}`,
  (id) => encodeURIComponent(`@${id}`),
];

it('a number that a spreadsheet or a program has changed is nobody’s id, or still the same', () => {
  fc.assert(
    fc.property(anyId, fc.constantFrom(...DAMAGES), inText, inText, (id, damage, before, after) => {
      const { text } = readIdInput(before + damage(id) + after);
      expect([id, undefined]).toContain(plausibleId(text));
    }),
    { numRuns: 2_000 },
  );
});

it('an id whose digits were only grouped is still itself', () => {
  fc.assert(
    fc.property(anyId, fc.constantFrom('en', 'de', 'fr', 'de-CH'), (id, locale) => {
      expect(readIdInput(` ${BigInt(id).toLocaleString(locale)}\n`).text).toBe(id);
    }),
  );
});

it('no id is made of two', () => {
  const gap = fc.stringMatching(/^[\s,.;:|/_-]{1,3}$/);
  fc.assert(
    fc.property(anyId, anyId, gap, (one, other, between) => {
      fc.pre(one !== other);
      expect(plausibleId(readIdInput(one + between + other).text)).toBeUndefined();
    }),
  );
});

it.each([
  'https://discord.com/users/175928847299117063',
  `${'a'.repeat(24)}.GaBcDe.${'x'.repeat(38)}`,
  `${btoa('not a number at all')}.GaBcDe.${'x'.repeat(38)}`,
])('no bot token is seen in %j', (text) => expect(containsBotToken(text)).toBe(false));

it('a bot token is found whatever stands around it, and nothing makes the search throw', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `${text} `);
  fc.assert(
    fc.property(around, fc.bigInt(10n ** 15n, 10n ** 19n), (text, id) => {
      expect(containsBotToken(`${text}${token(String(id))} ${text}`)).toBe(true);
      expect(containsBotToken(text)).toBe(false);
    }),
  );
});
