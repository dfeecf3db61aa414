import type { ReactNode } from 'react';
import { useTexts } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const ContactRoute = (): ReactNode => (
  <TextPage {...useTexts('contact')}>
    <ContactAddress />
  </TextPage>
);
