import type { ComponentProps, ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { help } from '../texts/pages/help.ts';
import { privacy } from '../texts/pages/privacy.ts';
import { ProseSection } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';

type ProsePageProps = {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly ComponentProps<typeof ProseSection>[];
};

const ProsePage = ({ sections, ...heading }: ProsePageProps): ReactNode => (
  <TextPage {...heading}>
    {sections.map((section) => (
      <ProseSection key={section.title} {...section} />
    ))}
  </TextPage>
);

export const PrivacyRoute = (): ReactNode => <ProsePage {...privacy(useEnvironment().site)} />;

export const HelpRoute = (): ReactNode => <ProsePage {...help(useEnvironment().site)} />;
