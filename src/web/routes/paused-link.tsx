import type { ReactNode } from 'react';
import type { PausedLink } from '#shared/site.ts';
import { useEnvironment } from '../environment.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';

const REASONS: Readonly<Record<PausedLink['because'], string>> = {
  operator: 'The people who run this site have paused it.',
  'invite-changed':
    'Its invite leads to another server than the one it was made for. We send nobody there until that is cleared up.',
  'invite-gone': 'Its invite has run out or was deleted.',
};

export const PausedLinkRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { name, because } = site.pausedLink ?? { name: '', because: 'operator' };
  const { host } = new URL(site.publicUrl);
  return (
    <TextPage title="This link is paused" lead={`${host}/${name} leads nowhere at the moment.`}>
      <Section title="Why">
        <p>{REASONS[because]}</p>
        <p>
          Is it your link? <a href="/contact">Write to us</a> and we will put it right.
        </p>
      </Section>
      <div>
        <ButtonLink href="/">Back to Lookup</ButtonLink>
      </div>
    </TextPage>
  );
};
