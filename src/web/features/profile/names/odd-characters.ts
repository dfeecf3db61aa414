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
const ALPHABETS = ['Latn', 'Grek', 'Cyrl', 'Armn', 'Geor', 'Cher', 'Hebr', 'Arab'] as const;

const lettersOf = ALPHABETS.map((code) => [code, new RegExp(String.raw`\p{Script=${code}}`, 'gu')] as const);

const alphabetsOf = (word: string) =>
  lettersOf.flatMap(([alphabet, letters]) => {
    const found = word.match(letters);
    return found === null ? [] : [{ alphabet, letters: [...new Set(found)] }];
  });

type OddCharacters = {
  readonly hidden: 'nothing' | 'characters' | 'direction';
  /** The letters of the first word that mixes alphabets, by alphabet. */
  readonly mixed: readonly {
    readonly alphabet: (typeof ALPHABETS)[number];
    readonly letters: readonly string[];
  }[];
};

/** Most names. For them the patterns, which take a phone 30 ms to compile, have nothing to find. */
const PLAIN = /^[ -~]*$/;

/** Nothing in an ordinary name of any language is odd. */
export const oddCharacters = (name: string): OddCharacters => {
  if (PLAIN.test(name)) return { hidden: 'nothing', mixed: [] };
  const needed = RIGHT_TO_LEFT.test(name) ? [...NEEDED, DIRECTION_MARKS] : NEEDED;
  const unseen = needed.reduce((rest, part) => rest.replaceAll(part, ''), name).match(UNSEEN) ?? [];
  const hidden = unseen.some((character) => /\p{Bidi_Control}/u.test(character)) ? 'direction' : 'characters';
  const words = name.replaceAll(UNSEEN, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return {
    hidden: unseen.length === 0 ? 'nothing' : hidden,
    mixed: words.map(alphabetsOf).find(({ length }) => length > 1) ?? [],
  };
};

const LONGEST = 64;
const EACH_UNSEEN = new RegExp(`(${UNSEEN.source})`, UNSEEN.flags);

/** The name with the numbers of its invisible characters in their places. */
export const revealed = (name: string) => {
  const characters = Array.from(name);
  const shown = characters.slice(0, LONGEST).join('');
  const end = characters.length > LONGEST ? '…' : '';
  // Every second part is what the pattern found.
  return `${shown}${end}`.split(EACH_UNSEEN).map((part, place) => ({
    text: place % 2 ? `U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : part,
    code: place % 2 === 1,
  }));
};
