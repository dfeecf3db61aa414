import type { ReactNode } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Prose, ProseSection, Section } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const DonateRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { title, lead, action, notYet, vanityLink, afterwards, tokens } = useTexts('donate');
  return (
    <TextPage title={title} lead={lead}>
      {site.paymentUrl === null ? (
        <p>{notYet}</p>
      ) : (
        <div>
          <ButtonLink href={site.paymentUrl} look="primary">
            {action}
          </ButtonLink>
        </div>
      )}
      <ProseSection {...vanityLink} />
      <Section title={afterwards.title}>
        <Prose texts={afterwards.texts} />
        <ContactAddress />
      </Section>
      {site.tokenDonations && <ProseSection {...tokens} />}
    </TextPage>
  );
};
