import type { ReactNode } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const PrivacyRoute = (): ReactNode => {
  const { relayPictures, offlinePage, tokenDonations } = useEnvironment().site;
  const { title, lead, lookups, browser, kept, optingOut } = useTexts('privacy');
  return (
    <TextPage title={title} lead={lead}>
      <ProseSection
        title={lookups.title}
        texts={[
          lookups.noRecord,
          lookups.limits,
          relayPictures ? lookups.picturesRelayed : lookups.picturesDirect,
        ]}
      />
      <ProseSection
        title={browser.title}
        texts={[
          browser.theme,
          browser.language,
          browser.recents,
          ...(offlinePage ? [browser.offlinePage] : []),
          browser.address,
        ]}
      />
      <ProseSection
        title={kept.title}
        texts={[[...(tokenDonations ? [kept.tokens] : []), kept.vanityLinks, kept.optOuts, kept.counts]]}
      />
      <ProseSection {...optingOut} />
    </TextPage>
  );
};

export const HelpRoute = (): ReactNode => {
  const { title, lead, leftOut, ...answers } = useTexts('help');
  return (
    <TextPage title={title} lead={lead}>
      {/* Links to an answer have its name. */}
      {Object.entries({ ...answers, 'left-out': leftOut }).map(([id, answer]) => (
        <ProseSection key={id} id={id} {...answer} />
      ))}
    </TextPage>
  );
};

export const ContactRoute = (): ReactNode => (
  <TextPage {...useTexts('contact')}>
    <ContactAddress />
  </TextPage>
);
