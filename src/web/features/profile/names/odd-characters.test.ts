import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import { oddCharacters, revealed } from './odd-characters.ts';

const ORDINARY = { hidden: 'nothing', mixed: [] };

describe('a name is ordinary', () => {
  it.each([
    'Marlow Finch',
    'marlow.finch_99',
    'Zoë Łucja Søren Théo',
    'Đặng Thị Ngọc Hân',
    'Иван Петров',
    'Иван Ivan',
    'Γιάννης',
    'しろ雪Shiro',
    'カナ・ABC・漢字123',
    '유나Yuna',
    '小雪Xue',
    'ليلى',
    'ali 90 على',
    '\u200fليلى\u200e!',
    'می\u200cخواهم',
    'क्\u200dष',
    'שלום',
    'สมชาย',
    'Aurora ✦ Quill',
    '❄\ufe0f Frosty ☠\ufe0e',
    '👩\u200d🚀 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\ufe0f\u20e3',
    '葛\u{e0100}城',
    '𝕎𝕠𝕨',
    'ʟᴜɴᴀ ᴹᵃˣ',
    'ಠ_ಠ',
    'Alex ツ',
    'e\u0301',
    '',
  ])('%j', (name) => expect(oddCharacters(name)).toEqual(ORDINARY));

  const oneOf = (...names: readonly string[]) => fc.constantFrom(...names);
  it.each([
    ['Latin', oneOf('a', 'é', 'Z', 'ß', 'đ')],
    ['Cyrillic', oneOf('а', 'Щ', 'ї', 'ё', 'қ')],
    ['Greek', oneOf('α', 'Ω', 'ή')],
    ['Japanese', oneOf('あ', 'ア', '漢', 'a', 'Z', 'ー', '・')],
    ['Korean', oneOf('유', '나', 'a', '漢')],
    ['Arabic', oneOf('ل', 'ي', 'آ', '٣')],
  ])('in any words of %s with digits, blanks and emoji', (_, letter) => {
    const more = oneOf('0', '7', ' ', '_', '.', '✦', '🍬', '❤\ufe0f', '👩\u200d🚀');
    fc.assert(
      fc.property(fc.array(fc.oneof(letter, more)), (parts) => {
        expect(oddCharacters(parts.join(''))).toEqual(ORDINARY);
      }),
    );
  });
});

describe('a name is odd', () => {
  it.each([
    '\u200b\u2060ad\u200dmin\ufeff\u00ad',
    'ad\u200cmin',
    'admin\u200d',
    'admin\ufe0f',
    'ad\u034fmin',
    '\u3164',
    '\u2800',
    'admin\n',
    'admin🙂\u{e0073}\u{e0065}',
    '\u{e0041}',
    '🏴\u{e0073}\u{e0065}\u{e0063}\u{e0072}\u{e0065}\u{e0074}\u{e007f}',
  ])('because something is hidden in it: %j', (name) => {
    expect(oddCharacters(name)).toEqual({ hidden: 'characters', mixed: [] });
  });

  it.each(['photo\u202egnp.exe', 'a\u2066b', '\u200fadmin', 'منقول\u202d', '\u200b\u202e'])(
    'because it changes the direction: %j',
    (name) => {
      expect(oddCharacters(name)).toEqual({ hidden: 'direction', mixed: [] });
    },
  );

  it.each([
    ['Support \u0410\u0501min', { Latn: ['m', 'i', 'n'], Cyrl: ['А', 'ԁ'] }],
    ['p\u0430\u200bypal', { Latn: ['p', 'y', 'a', 'l'], Cyrl: ['а'] }],
    ['g\u03bfogle', { Latn: ['g', 'o', 'l', 'e'], Grek: ['ο'] }],
    ['աdmin', { Latn: ['d', 'm', 'i', 'n'], Armn: ['ա'] }],
  ])('because it mixes alphabets within a word: %j', (name, letters) => {
    const { mixed } = oddCharacters(name);
    expect(Object.fromEntries(mixed.map((part) => [part.alphabet, part.letters]))).toEqual(letters);
  });

  it('wherever an override stands', () => {
    const turns = fc.constantFrom('\u202a', '\u202e', '\u2067', '\u2069');
    fc.assert(
      fc.property(anyText, anyText, turns, (one, other, turn) => {
        expect(oddCharacters(`${one}${turn}${other}`).hidden).toBe('direction');
      }),
    );
  });
});

it('a name revealed shows what is hidden in it, and is never endless', () => {
  const shown = (name: string): string =>
    revealed(name)
      .map(({ text, code }) => (code ? `[${text}]` : text))
      .join('');
  expect(shown('\u200bad\u202emin\u{e0041}👩\u200d🚀')).toBe('[U+200B]ad[U+202E]min[U+E0041]👩[U+200D]🚀');
  expect(shown('\u200b'.repeat(65))).toBe(`${'[U+200B]'.repeat(64)}…`);
  expect(shown('𝕎'.repeat(64))).toBe('𝕎'.repeat(64));
});
