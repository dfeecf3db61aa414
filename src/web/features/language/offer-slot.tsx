import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { readChosenLanguage } from './chosen-language.ts';

/** The browser prefers English, and the visitor has never chosen a language. */
const readsEnglish = (): boolean => /^en\b/.test(navigator.language) && readChosenLanguage() === undefined;

/** Where this page is offered in another language. Loaded late, and only for visitors whom it may concern. */
export const OfferSlot = (): ReactNode => {
  const { browser, texts } = useEnvironment();
  const { offersUrl } = texts;
  const [offer, setOffer] = useState<ReactNode>();
  useEffect(() => {
    if (offersUrl === undefined || readsEnglish()) return;
    const load = async (): Promise<void> => {
      const { readOffer } = await import('./language-offer.tsx');
      setOffer(await readOffer(offersUrl, browser));
    };
    // Without an offer there is still the list at the end of the page.
    void load().catch(() => undefined);
  }, [offersUrl, browser]);
  return offer;
};
