import { factsOf, LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import { keepStored, readStored } from '../../browser.ts';

const KEY = 'language';

export const startLanguageLinks = (page: Document): void => {
  page.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-language]');
    if (!link) return;
    keepStored(KEY, link.dataset['language']);
    // Keeps showing the same profile.
    link.search = location.search;
  });
};

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

/** On the English lookup page, for visitors who may prefer another of our languages. Nobody is redirected. */
export const startLanguageOffer = (page: Document): void => {
  const offers = page.querySelector<HTMLTemplateElement>('#offers');
  if (offers === null) return;
  const language = wantedLanguage(readStored(KEY), navigator.languages);
  const offer = offers.content.querySelector(`[data-offer="${language}"]`);
  if (offer === null) return;
  offers.replaceWith(offer);
  offer.querySelector('button')?.addEventListener('click', () => {
    keepStored(KEY, 'en');
    offer.remove();
  });
};
