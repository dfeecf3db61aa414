import { useEffect, useState, type ReactNode } from 'react';
import { directionOf, factsOf, type Language } from '#shared/languages.ts';
import { useEnvironment } from '../../environment.ts';
import type { Texts } from '../../texts/translation.ts';
import { Button } from '../../ui/button.tsx';
import buttonStyles from '../../ui/button.module.css';
import { keepChosenLanguage, readChosenLanguage } from './chosen-language.ts';
import { LanguageLink } from './language-link.tsx';
import styles from './language-offer.module.css';
import { wantedLanguage } from './wanted-language.ts';

export type Offers = Readonly<Partial<Record<Language, Texts['offer']>>>;

type Offer = { readonly language: Language; readonly words: Texts['offer'] };

/** On the English lookup page, for visitors who may prefer another of our languages. Nobody is redirected. */
export const LanguageOffer = ({ offersUrl }: { readonly offersUrl: string }): ReactNode => {
  const { fetch } = useEnvironment().browser;
  const [offer, setOffer] = useState<Offer>();

  useEffect(() => {
    const language = wantedLanguage(readChosenLanguage(), navigator.languages);
    if (language === undefined || language === 'en') return;
    const read = async (): Promise<void> => {
      const words = ((await (await fetch(offersUrl)).json()) as Offers)[language];
      if (words) setOffer({ language, words });
    };
    // Without an offer there is still the list at the end of the page.
    void read().catch(() => undefined);
  }, [fetch, offersUrl]);

  if (!offer) return null;
  const { language, words } = offer;
  const { name, tag } = factsOf(language);
  return (
    <aside className={styles.offer} lang={tag} dir={directionOf(language)} aria-label={name}>
      <p>{words.text}</p>
      <LanguageLink language={language} path="/" className={buttonStyles.primary}>
        {words.accept}
      </LanguageLink>
      <Button
        onClick={() => {
          keepChosenLanguage('en');
          setOffer(undefined);
        }}
      >
        {words.decline}
      </Button>
    </aside>
  );
};
