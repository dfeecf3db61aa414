import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useEnvironment } from '../environment.ts';
import { summarizeStatus } from '../features/status/live-status.ts';
import linkStyles from '../features/status/status-link.module.css';
import { useStatus } from '../features/status/use-status.ts';
import { statusFigures as texts, statusPage, statusReading, tokensNeeded } from '../texts/pages/status.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Notice } from '../ui/notice.tsx';
import { Prose, ProseSection } from '../ui/prose.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';
import { Time } from '../ui/time.tsx';

export const StatusRoute = (): ReactNode => {
  const { site } = useEnvironment();
  if (site.status === undefined) throw new Error('The page came without the status.');
  const { glossary, ...heading } = statusPage(site);
  const { status, failure, reading, refresh } = useStatus(site.status);
  return (
    <TextPage {...heading}>
      <div className={styles.section}>
        <StatusHeadline status={status} />
        <StatusFigures {...status} />
        {/* Without scripts it fetches the page again. */}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            refresh();
          }}
        >
          <Button type="submit" busy={reading}>
            {statusReading.refresh}
          </Button>
          <VisuallyHidden live>{!reading && failure === undefined && statusReading.upToDate}</VisuallyHidden>
        </form>
        {failure !== undefined && (
          <Notice tone="error">
            <p>{failure}</p>
          </Notice>
        )}
      </div>
      {site.tokenDonations && <DonationsNeeded needed={status.donations_needed} />}
      <ProseSection {...glossary} />
    </TextPage>
  );
};

/** The status in a few words. */
const StatusHeadline = ({ status }: { readonly status: Status }): ReactNode => {
  const { tone, words } = summarizeStatus(status);
  return (
    <p className={linkStyles.headline}>
      <span className={`${linkStyles.dot} ${linkStyles[tone]}`} aria-hidden="true" />
      {words}
    </p>
  );
};

const StatusFigures = ({ tokens, lookups_last_hour: lookups, last_retirement }: Status): ReactNode => (
  <dl className={`${styles.card} ${styles.figures}`}>
    <Fact name={texts.healthy}>{tokens.healthy}</Fact>
    <Fact name={texts.cooling}>{tokens.cooling}</Fact>
    <Fact name={texts.retired}>{tokens.retired}</Fact>
    <Fact name={texts.served}>{lookups.served}</Fact>
    <Fact name={texts.refused}>{lookups.refused}</Fact>
    <Fact name={texts.lastRetirement}>
      {last_retirement === null ? texts.noRetirement : <Time iso={last_retirement} />}
    </Fact>
  </dl>
);

const DonationsNeeded = ({ needed }: { readonly needed: boolean }): ReactNode => (
  <Section title={tokensNeeded.title}>
    <p>{needed ? tokensNeeded.yes : tokensNeeded.no}</p>
    <ButtonLink href="/#donate-token" look={needed ? 'primary' : 'plain'}>
      {tokensNeeded.donate}
    </ButtonLink>
    <Prose texts={[tokensNeeded.readFirst]} />
  </Section>
);
