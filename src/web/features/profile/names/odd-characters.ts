/** Invisible characters, and those that change the order of visible ones. */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/gu;

/** Where such characters belong, because a letter or an emoji is not the same without them. */
const NEEDED: readonly RegExp[] = [
  // The flags of England, Scotland and Wales.
  /(?<=\u{1F3F4})[\u{E0061}-\u{E007A}]{5}\u{E007F}/gu,
  // Between the parts of one emoji.
  /(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?)\u200D(?=\p{Extended_Pictographic})/gu,
  // Which form of a sign is meant.
  /(?<=[\p{Emoji}\p{S}\p{P}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])\p{Variation_Selector}/gu,
  // Within words of scripts that join their letters.
  /(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}])[\p{L}\p{M}])\p{Join_Control}(?=\p{L})/gu,
];

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** They change nothing but the side on which a sign at the edge of a word stands. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F]/gu;

/** They have letters that look alike. */
const ALPHABETS = ['Latn', 'Grek', 'Cyrl', 'Armn', 'Geor', 'Cher', 'Hebr', 'Arab'].map(
  (code) => new RegExp(String.raw`\p{Script=${code}}`, 'gu'),
);

/** The letters of all alphabets of a word but the one that it has most letters of. */
const foreignLetters = (word: string): readonly string[] =>
  ALPHABETS.map((letters) => word.match(letters) ?? [])
    .toSorted((one, other) => other.length - one.length)
    .slice(1)
    .flat();

type OddCharacters = {
  readonly hidden: 'nothing' | 'characters' | 'direction';
  /** The letters that stand in a word of another alphabet. */
  readonly foreign: readonly string[];
};

/** Most names. For them the patterns, which take a phone 30 ms to compile, have nothing to find. */
const PLAIN = /^[ -~]*$/;

/** Nothing in an ordinary name of any language is odd. */
export const oddCharacters = (name: string): OddCharacters => {
  if (PLAIN.test(name)) return { hidden: 'nothing', foreign: [] };
  const needed = RIGHT_TO_LEFT.test(name) ? [...NEEDED, DIRECTION_MARKS] : NEEDED;
  const unseen = needed.reduce((rest, part) => rest.replaceAll(part, ''), name).match(UNSEEN) ?? [];
  const hidden = unseen.some((character) => /\p{Bidi_Control}/u.test(character)) ? 'direction' : 'characters';
  const words = name.replaceAll(UNSEEN, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return { hidden: unseen.length === 0 ? 'nothing' : hidden, foreign: words.flatMap(foreignLetters) };
};

const LONGEST = 64;

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The name with the numbers of its invisible characters in their places, and beside foreign letters. */
export const revealed = (name: string, foreign: readonly string[]) => {
  const characters = Array.from(name);
  const shown = characters.slice(0, LONGEST).map((character) => {
    const isForeign = foreign.includes(character);
    const isCoded = isForeign || character.search(UNSEEN) === 0;
    const text = isCoded ? codeOf(character) : character;
    return { text: isForeign ? `${character} ${text}` : text, isCoded };
  });
  return characters.length > LONGEST ? [...shown, { text: '…', isCoded: false }] : shown;
};
