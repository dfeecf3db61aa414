import type english from '#texts/en.json';

/** The English sentences as literal types, so that the names in their braces are known. */
export type Texts = typeof english;

export type Section = keyof Texts;

type Translated<Text> = Text extends string
  ? string
  : Text extends readonly unknown[]
    ? readonly Translated<Text[number]>[]
    : { readonly [Key in keyof Text]: Translated<Text[Key]> };

export type Translation = Translated<Texts>;
