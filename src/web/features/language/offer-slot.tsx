import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { readChosenLanguage } from './chosen-language.ts';

const importLanguageOffer = async () => (await import('./language-offer.tsx')).LanguageOffer;

/** The browser prefers English, and the visitor has never chosen a language. */
const readsEnglish = (): boolean => /^en\b/.test(navigator.language) && readChosenLanguage() === undefined;

/** Where this page is offered in another language. Loaded late, and only for visitors whom it may concern. */
export const OfferSlot = (): ReactNode => {
  const { offersUrl } = useEnvironment().texts;
  const [LanguageOffer, setOffer] = useState<Awaited<ReturnType<typeof importLanguageOffer>>>();
  useEffect(() => {
    if (offersUrl === undefined || readsEnglish()) return;
    // There is still the list at the end of the page.
    void importLanguageOffer().then(
      (part) => setOffer(() => part),
      () => undefined,
    );
  }, [offersUrl]);
  return LanguageOffer && offersUrl && <LanguageOffer offersUrl={offersUrl} />;
};
