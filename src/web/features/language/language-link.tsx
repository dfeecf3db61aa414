import type { ReactNode } from 'react';
import { directionOf, factsOf, localPath, type Language } from '#shared/languages.ts';
import { useEnvironment } from '../../environment.ts';
import { keepChosenLanguage } from './chosen-language.ts';

type LanguageLinkProps = {
  readonly language: Language;
  /** Without the language. */
  readonly path: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** A page in a language, said in that language. To follow it is to choose the language. */
export const LanguageLink = ({ language, path, className, children }: LanguageLinkProps): ReactNode => {
  const { tag } = factsOf(language);
  const current = language === useEnvironment().texts.language;
  return (
    <a
      href={localPath(path, language)}
      className={className}
      lang={tag}
      hrefLang={tag}
      dir={directionOf(language)}
      aria-current={current ? 'true' : undefined}
      onClick={({ currentTarget }) => {
        keepChosenLanguage(language);
        // The profile that is shown is shown there as well.
        currentTarget.search = location.search;
      }}
    >
      {children}
    </a>
  );
};
