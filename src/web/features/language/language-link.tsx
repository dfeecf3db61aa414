import type { ReactNode } from 'react';
import { directionOf, factsOf, localPath, type Language } from '#shared/languages.ts';
import { useEnvironment } from '../../environment.ts';

type LanguageLinkProps = {
  readonly language: Language;
  /** Without the language. */
  readonly path: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** Following it chooses the language (`chosen-language.ts`). */
export const LanguageLink = ({ language, path, className, children }: LanguageLinkProps): ReactNode => {
  const { tag } = factsOf(language);
  const current = language === useEnvironment().texts.language;
  return (
    <a
      href={localPath(path, language)}
      className={className ?? 'target'}
      lang={tag}
      hrefLang={tag}
      dir={directionOf(language)}
      aria-current={current ? 'true' : undefined}
      data-language={language}
    >
      {children}
    </a>
  );
};
