import type { ReactNode } from 'react';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { contact } from '../texts/pages/contact.ts';
import { TextPage } from '../ui/text-page.tsx';

export const ContactRoute = (): ReactNode => (
  <TextPage {...contact}>
    <ContactAddress />
  </TextPage>
);
