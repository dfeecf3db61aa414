import type { ReactNode } from 'react';
import { BACK, notFound } from '../texts/pages/not-found.ts';
import { ButtonLink } from '../ui/button.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const NotFoundRoute = (): ReactNode => (
  <TextPage {...notFound}>
    <div>
      <ButtonLink href="/">{BACK}</ButtonLink>
    </div>
  </TextPage>
);
