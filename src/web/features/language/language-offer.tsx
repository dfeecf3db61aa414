import { useState, type ReactNode } from 'react';
import { directionOf, factsOf, type Language } from '#shared/languages.ts';
import type { Browser } from '../../browser.ts';
import type { Texts } from '../../texts/translation.ts';
import { Button } from '../../ui/button.tsx';
import buttonStyles from '../../ui/button.module.css';
import { keepChosenLanguage, readChosenLanguage } from './chosen-language.ts';
import { LanguageLink } from './language-link.tsx';
import styles from './language-offer.module.css';
import { wantedLanguage } from './wanted-language.ts';

export type Offers = Readonly<Partial<Record<Language, Texts['offer']>>>;

type OfferProps = { readonly language: Language; readonly words: Texts['offer'] };

/** On the English lookup page, for visitors who may prefer another of our languages. Nobody is redirected. */
export const readOffer = async (offersUrl: string, { fetch }: Pick<Browser, 'fetch'>): Promise<ReactNode> => {
  const language = wantedLanguage(readChosenLanguage(), navigator.languages);
  if (language === undefined || language === 'en') return null;
  const words = ((await (await fetch(offersUrl)).json()) as Offers)[language];
  return words && <LanguageOffer language={language} words={words} />;
};

const LanguageOffer = ({ language, words }: OfferProps): ReactNode => {
  const [declined, setDeclined] = useState(false);
  if (declined) return null;
  const { name, tag } = factsOf(language);
  return (
    <aside className={`row surface ${styles.offer}`} lang={tag} dir={directionOf(language)} aria-label={name}>
      <p>{words.text}</p>
      <LanguageLink language={language} path="/" className={buttonStyles.primary}>
        {words.accept}
      </LanguageLink>
      <Button
        onClick={() => {
          keepChosenLanguage('en');
          setDeclined(true);
        }}
      >
        {words.decline}
      </Button>
    </aside>
  );
};
