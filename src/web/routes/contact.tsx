import type { ReactNode } from 'react';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const ContactRoute = (): ReactNode => (
  <TextPage
    title="Contact us"
    lead="A question, a vanity link to ask for, or something that does not work? Write to us."
  >
    <ContactAddress />
  </TextPage>
);
