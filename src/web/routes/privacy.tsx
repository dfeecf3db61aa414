import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { privacy } from '../texts/privacy.ts';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

export const PrivacyRoute = (): ReactNode => {
  const { sections, ...heading } = privacy(useEnvironment().site);
  return (
    <TextPage {...heading}>
      {sections.map((section) => (
        <ProseSection key={section.title} {...section} />
      ))}
    </TextPage>
  );
};
