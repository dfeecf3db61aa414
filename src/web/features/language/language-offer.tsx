import { useState, type ReactNode } from 'react';
import { directionOf, factsOf, LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import type { Browser } from '../../browser.ts';
import type { Texts } from '../../texts/translation.ts';
import { Button } from '../../ui/button.tsx';
import buttonStyles from '../../ui/button.module.css';
import { keepChosenLanguage, readChosenLanguage } from './chosen-language.ts';
import { LanguageLink } from './language-link.tsx';
import styles from './language-offer.module.css';

/** Undefined for what is not a language tag, such as the `C` and `en-US@posix` of some browsers. */
const readTag = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
};

/** `pt-PT` gets `pt-br`. `zh-TW` gets none of ours: it is written in other characters. */
const languageOf = (tag: string): Language | undefined => {
  const wanted = readTag(tag);
  return LANGUAGE_CODES.find((code) => {
    const ours = new Intl.Locale(factsOf(code).tag).maximize();
    return ours.language === wanted?.language && ours.script === wanted.script;
  });
};

export const wantedLanguage = (
  chosen: string | undefined,
  preferred: readonly string[],
): Language | undefined =>
  LANGUAGE_CODES.find((code) => code === chosen) ??
  preferred.map(languageOf).find((language) => language !== undefined);

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
