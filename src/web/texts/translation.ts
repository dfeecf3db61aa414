import type english from '#texts/en.json';

/** The English sentences as literal types, so that the names in their braces are known. */
export type Texts = typeof english;

export type Section = keyof Texts;

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type Translated<Text> = Text extends string
  ? string
  : Text extends { readonly other: string }
    ? PluralForms
    : Text extends readonly unknown[]
      ? readonly Translated<Text[number]>[]
      : { readonly [Key in keyof Text]: Translated<Text[Key]> };

export type Translation = Translated<Texts>;
