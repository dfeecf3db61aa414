import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { donate } from '../texts/pages/donate.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Prose, ProseSection } from '../ui/prose.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';

export const DonateRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { title, lead, action, vanityLink, afterwards, tokens } = donate(site);
  return (
    <TextPage title={title} lead={lead}>
      <div>
        <ButtonLink href={site.paymentUrl} look="primary">
          {action}
        </ButtonLink>
      </div>
      <ProseSection {...vanityLink} />
      <Section title={afterwards.title}>
        <Prose texts={afterwards.texts} />
        <ContactAddress />
      </Section>
      {site.tokenDonations && <ProseSection {...tokens} />}
    </TextPage>
  );
};
