import type { ReactNode } from 'react';
import { directionOf, factsOf, LANGUAGE_CODES } from '#shared/languages.ts';
import { useEnvironment } from '../../environment.ts';
import { localize } from '../../texts/localize.ts';
import { Button } from '../../ui/button.tsx';
import buttonStyles from '../../ui/button.module.css';
import { LanguageLink } from './language-link.tsx';
import styles from './language-offer.module.css';

/** Each in the words of its language. `chosen-language.ts` shows at most one. */
export const LanguageOffers = (): ReactNode => {
  const { site } = useEnvironment();
  const offers = LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => {
    const { text, accept, decline } = localize(['offer'], code, site).offer;
    const { name, tag } = factsOf(code);
    return (
      <aside
        key={code}
        className={`row surface ${styles.offer}`}
        lang={tag}
        dir={directionOf(code)}
        aria-label={name}
        data-offer={code}
      >
        <p>{text}</p>
        <LanguageLink language={code} path="/" className={buttonStyles.primary}>
          {accept}
        </LanguageLink>
        <Button>{decline}</Button>
      </aside>
    );
  });
  return <template id="offers">{offers}</template>;
};
