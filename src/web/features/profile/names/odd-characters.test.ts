import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import { oddCharacters, revealed } from './odd-characters.ts';

const ORDINARY = { hidden: 'nothing', foreign: [] };

it.each([
  'Marlow Finch',
  'Zoë Łucja Søren Théo',
  'しろ雪Shiro',
  'カナ・ABC・漢字123',
  'می\u200cخواهم',
  'क्\u200dष',
  '❄\ufe0f Frosty ☠\ufe0e',
  '👩\u200d🚀 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\ufe0f\u20e3',
])('the name %j is ordinary', (name) => expect(oddCharacters(name)).toEqual(ORDINARY));

const oneOf = (...names: readonly string[]) => fc.constantFrom(...names);
it.each([
  ['Latin', oneOf('a', 'é', 'Z', 'ß', 'đ')],
  ['Japanese', oneOf('あ', 'ア', '漢', 'a', 'Z', 'ー', '・')],
  ['Arabic', oneOf('ل', 'ي', 'آ', '٣')],
])('a name is ordinary in any words of %s with digits, blanks and emoji', (_, letter) => {
  const more = oneOf('0', '7', ' ', '_', '.', '✦', '🍬', '❤\ufe0f', '👩\u200d🚀');
  fc.assert(
    fc.property(fc.array(fc.oneof(letter, more)), (parts) => {
      expect(oddCharacters(parts.join(''))).toEqual(ORDINARY);
    }),
  );
});

it.each([
  '\u200b\u2060ad\u200dmin\ufeff\u00ad',
  '\u2800',
  '🏴\u{e0073}\u{e0065}\u{e0063}\u{e0072}\u{e0065}\u{e0074}\u{e007f}',
])('a name is odd because something is hidden in it: %j', (name) => {
  expect(oddCharacters(name)).toEqual({ hidden: 'characters', foreign: [] });
});

it.each(['photo\u202egnp.exe', 'a\u2066b', '\u200fadmin', 'منقول\u202d', '\u200b\u202e'])(
  'a name is odd because it changes the direction: %j',
  (name) => {
    expect(oddCharacters(name)).toEqual({ hidden: 'direction', foreign: [] });
  },
);

it.each([
  ['Support \u0410\u0501min', ['А', 'ԁ']],
  ['աdmin', ['ա']],
])('a name is odd because it mixes alphabets within a word: %j', (name, letters) => {
  expect(oddCharacters(name)).toEqual({ hidden: 'nothing', foreign: letters });
});

it('a name is odd wherever an override stands in it', () => {
  const turns = fc.constantFrom('\u202a', '\u202e', '\u2067', '\u2069');
  fc.assert(
    fc.property(anyText, anyText, turns, (one, other, turn) => {
      expect(oddCharacters(`${one}${turn}${other}`).hidden).toBe('direction');
    }),
  );
});

it('a name revealed shows what is hidden in it, and is never endless', () => {
  const shown = (name: string, foreign: string[] = []): string =>
    revealed(name, foreign)
      .map(({ text, isCoded }) => (isCoded ? `[${text}]` : text))
      .join('');
  expect(shown('\u200bad\u202emin\u{e0041}👩\u200d🚀')).toBe('[U+200B]ad[U+202E]min[U+E0041]👩[U+200D]🚀');
  expect(shown('\u0410dmin', ['\u0410'])).toBe('[\u0410 U+0410]dmin');
  expect(shown('\u200b'.repeat(65))).toBe(`${'[U+200B]'.repeat(64)}…`);
  expect(shown('𝕎'.repeat(64))).toBe('𝕎'.repeat(64));
});
