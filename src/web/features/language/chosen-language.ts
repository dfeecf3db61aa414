import type { Language } from '#shared/languages.ts';

const KEY = 'language';

export const readChosenLanguage = (): string | undefined => {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
};

export const keepChosenLanguage = (language: Language): void => {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Full, or forbidden: the page is in the chosen language all the same.
  }
};

export const startLanguageLinks = (page: Document): void => {
  page.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-language]');
    if (!link) return;
    keepChosenLanguage(link.dataset['language'] as Language);
    // Keeps showing the same profile.
    link.search = location.search;
  });
};
