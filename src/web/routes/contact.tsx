import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const ContactRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return (
    <TextPage
      title="Contact us"
      lead="A question, a vanity link to ask for, or something that does not work? Write to us."
    >
      <ContactAddress pieces={site.contact} />
    </TextPage>
  );
};
