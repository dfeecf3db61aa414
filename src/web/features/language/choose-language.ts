import type { Language } from '#shared/languages.ts';
import { keepChosenLanguage } from './chosen-language.ts';

/** Following a link to another language chooses it. */
export const startLanguageLinks = (page: Document): void => {
  page.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-language]');
    if (!link) return;
    keepChosenLanguage(link.dataset['language'] as Language);
    // Keeps showing the same profile.
    link.search = location.search;
  });
};
