import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useEnvironment } from '../environment.ts';
import { StatusHeadline } from '../features/status/status-headline.tsx';
import { useStatus } from '../features/status/use-status.ts';
import { statusFigures as texts, statusPage, statusReading, tokensNeeded } from '../texts/status.ts';
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
  const { glossary, ...heading } = statusPage(site);
  const { status, failure, reading, refresh } = useStatus();
  return (
    <TextPage {...heading}>
      <div className={styles.section}>
        <StatusHeadline status={status} />
        <StatusFigures status={status} />
        <div>
          <Button busy={reading} onClick={refresh}>
            {statusReading.refresh}
          </Button>
          <VisuallyHidden live>{!reading && failure === undefined && statusReading.upToDate}</VisuallyHidden>
        </div>
        {failure !== undefined && (
          <Notice tone="error">
            <p>{failure}</p>
          </Notice>
        )}
      </div>
      {site.tokenDonations && <DonationsNeeded status={status} failed={failure !== undefined} />}
      <ProseSection {...glossary} />
    </TextPage>
  );
};

/** Has its shape before it has its numbers, so that nothing moves when they come. */
const StatusFigures = ({ status }: { readonly status: Status | undefined }): ReactNode => {
  const retirement = status?.last_retirement;
  const figure = (figureOf: (known: Status) => number): ReactNode =>
    status ? figureOf(status) : texts.unknown;
  return (
    <dl className={`${styles.card} ${styles.figures}`} aria-busy={status === undefined}>
      <Fact name={texts.healthy}>{figure(({ tokens }) => tokens.healthy)}</Fact>
      <Fact name={texts.cooling}>{figure(({ tokens }) => tokens.cooling)}</Fact>
      <Fact name={texts.retired}>{figure(({ tokens }) => tokens.retired)}</Fact>
      <Fact name={texts.served}>{figure((known) => known.lookups_last_hour.served)}</Fact>
      <Fact name={texts.refused}>{figure((known) => known.lookups_last_hour.refused)}</Fact>
      <Fact name={texts.lastRetirement}>
        {retirement ? <Time iso={retirement} /> : status ? texts.noRetirement : texts.unknown}
      </Fact>
    </dl>
  );
};

type DonationsNeededProps = { readonly status: Status | undefined; readonly failed: boolean };

const needInWords = ({ status, failed }: DonationsNeededProps): string => {
  if (status === undefined) return failed ? tokensNeeded.unknown : tokensNeeded.reading;
  return status.donations_needed ? tokensNeeded.yes : tokensNeeded.no;
};

const DonationsNeeded = (props: DonationsNeededProps): ReactNode => (
  <Section title={tokensNeeded.title}>
    <p>{needInWords(props)}</p>
    <ButtonLink href="/#donate-token" look={props.status?.donations_needed ? 'primary' : 'plain'}>
      {tokensNeeded.donate}
    </ButtonLink>
    <Prose texts={[tokensNeeded.readFirst]} />
  </Section>
);
