import type { ReactNode } from 'react';
import { factsOf, LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { keepChosenLanguage } from './chosen-language.ts';
import styles from './language-list.module.css';

const PAGES: readonly string[] = PAGE_PATHS;

/** The same page in every language, each by its own name. */
export const LanguageList = ({ path }: { readonly path: string }): ReactNode => {
  const { languages } = useTexts('frame');
  const current = useEnvironment().texts.language;
  const page = PAGES.includes(path) ? path : '/';
  return (
    <nav className={styles.languages} aria-label={languages}>
      <ul>
        {LANGUAGE_CODES.map((language) => {
          const { name, tag, rightToLeft } = factsOf(language);
          return (
            <li key={language}>
              <a
                href={localPath(page, language)}
                lang={tag}
                hrefLang={tag}
                dir={rightToLeft ? 'rtl' : 'ltr'}
                aria-current={language === current ? 'true' : undefined}
                onClick={({ currentTarget }) => {
                  keepChosenLanguage(language);
                  // The profile that is shown is shown there as well.
                  currentTarget.search = location.search;
                }}
              >
                {name}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
};
