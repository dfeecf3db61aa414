import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { readChosenLanguage } from './chosen-language.ts';

const readsEnglish = (): boolean => /^en\b/.test(navigator.language) && readChosenLanguage() === undefined;

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
