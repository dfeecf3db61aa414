import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { readChosenLanguage } from './chosen-language.ts';

const importLanguageOffer = async () => (await import('./language-offer.tsx')).LanguageOffer;

/** What the browser asks for is English, as most pages are, and nothing else was ever chosen. */
const readsEnglish = (): boolean => /^en\b/.test(navigator.language) && readChosenLanguage() === undefined;

/** Where this page may be offered in another language. It comes late, and only to those whom it may concern. */
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
