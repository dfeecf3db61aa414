import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { BACK } from '../texts/pages/not-found.ts';
import { pausedLink } from '../texts/pages/paused-link.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const PausedLinkRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { why, ...heading } = pausedLink(site, site.pausedLink);
  return (
    <TextPage {...heading}>
      <ProseSection {...why} />
      <div>
        <ButtonLink href="/">{BACK}</ButtonLink>
      </div>
    </TextPage>
  );
};
