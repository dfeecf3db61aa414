import type { ReactNode } from 'react';
import { factsOf, LANGUAGE_CODES } from '#shared/languages.ts';
import { isPagePath } from '#shared/paths.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { LanguageLink } from './language-link.tsx';
import styles from './language-list.module.css';

export const LanguageList = ({ path }: { readonly path: string }): ReactNode => (
  <nav className={styles.languages} aria-label={useTexts('frame').languages}>
    <details>
      <summary>{factsOf(useEnvironment().texts.language).name}</summary>
      <ul className="row">
        {LANGUAGE_CODES.map((language) => (
          <li key={language}>
            <LanguageLink language={language} path={isPagePath(path) ? path : '/'}>
              {factsOf(language).name}
            </LanguageLink>
          </li>
        ))}
      </ul>
    </details>
  </nav>
);
