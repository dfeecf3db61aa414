import type { ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const PrivacyRoute = (): ReactNode => {
  const { relayPictures, tokenDonations } = useEnvironment().site;
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
        texts={[[browser.theme, browser.language, browser.recents, browser.cache, browser.address]]}
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
  const { title, lead, leftOut, accessibility, ...answers } = useTexts('help');
  return (
    <TextPage title={title} lead={lead}>
      {/* Other pages link to answers by these ids. */}
      {Object.entries({ find: useTexts('findId'), ...answers, 'left-out': leftOut, accessibility }).map(
        ([id, answer]) => (
          <ProseSection key={id} id={id} {...answer} />
        ),
      )}
    </TextPage>
  );
};

export const ContactRoute = (): ReactNode => (
  <TextPage {...useTexts('contact')}>
    <ContactAddress />
  </TextPage>
);

export const NotFoundRoute = (): ReactNode => (
  <TextPage {...useTexts('notFound')}>
    <div>
      <ButtonLink href="/">{useTexts('ui').backToLookup}</ButtonLink>
    </div>
  </TextPage>
);

export const PausedLinkRoute = (): ReactNode => {
  const { publicUrl, pausedLink } = useEnvironment().site;
  const texts = useTexts('pausedLink');
  const { backToLookup } = useTexts('ui');
  const link = `${new URL(publicUrl).host}/${pausedLink?.name ?? ''}`;
  return (
    <TextPage title={texts.title} lead={fill(texts.lead, { link: isolate(link) })}>
      <ProseSection
        title={texts.why}
        texts={[texts.because[pausedLink?.because ?? 'operator'], texts.yours]}
      />
      <div>
        <ButtonLink href="/">{backToLookup}</ButtonLink>
      </div>
    </TextPage>
  );
};
