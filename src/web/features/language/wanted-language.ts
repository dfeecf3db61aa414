import { factsOf, LANGUAGE_CODES, type Language } from '#shared/languages.ts';

/** Undefined for what is not a language tag, such as the `C` and `en-US@posix` of some browsers. */
const readTag = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
};

/** `pt-PT` gets `pt-br`. `zh-TW` gets none of ours: it is written in other characters. */
const languageOf = (tag: string): Language | undefined => {
  const wanted = readTag(tag);
  return LANGUAGE_CODES.find((code) => {
    const ours = new Intl.Locale(factsOf(code).tag).maximize();
    return ours.language === wanted?.language && ours.script === wanted.script;
  });
};

export const wantedLanguage = (
  chosen: string | undefined,
  preferred: readonly string[],
): Language | undefined =>
  LANGUAGE_CODES.find((code) => code === chosen) ??
  preferred.map(languageOf).find((language) => language !== undefined);
