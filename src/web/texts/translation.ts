import type { texts as english } from './languages/en.ts';

/** Typed by the English sentences themselves, so that the names in their braces are known. */
export type Texts = typeof english;

export type Section = keyof Texts;

/** A text for each category of numbers that the language has. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type Translated<Text> = Text extends string
  ? string
  : Text extends { readonly other: string }
    ? PluralForms
    : { readonly [Key in keyof Text]: Translated<Text[Key]> };

/** What a language's file holds. */
export type Translation = Translated<Texts>;
