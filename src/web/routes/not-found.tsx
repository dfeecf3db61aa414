import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const NotFoundRoute = (): ReactNode => (
  <TextPage title="Page not found" lead="There is nothing at this address.">
    <div>
      <ButtonLink href="/">Back to Lookup</ButtonLink>
    </div>
  </TextPage>
);
