import type { ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

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
