import type { Language } from '#shared/languages.ts';
import { keepStored, readStored } from '../../browser.ts';

const KEY = 'language';

export const readChosenLanguage = (): string | undefined => readStored(KEY);

export const keepChosenLanguage = (language: Language): void => keepStored(KEY, language);

export const startLanguageLinks = (page: Document): void => {
  page.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-language]');
    if (!link) return;
    keepChosenLanguage(link.dataset['language'] as Language);
    // Keeps showing the same profile.
    link.search = location.search;
  });
};
