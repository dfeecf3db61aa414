import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useEnvironment } from '../environment.ts';
import { useStatus } from '../features/status/use-status.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Notice } from '../ui/notice.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';
import { Time } from '../ui/time.tsx';

export const StatusRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { status, failure, reading, refresh } = useStatus();
  return (
    <TextPage
      title="Status"
      lead={`How many tokens ${site.brandName} has, and how its lookups are going. Counts only: they tell nothing of any one token or visitor.`}
    >
      <div className={styles.section}>
        <StatusFigures status={status} />
        <div>
          <Button busy={reading} onClick={refresh}>
            Refresh
          </Button>
          <VisuallyHidden live>
            {!reading && failure === undefined && 'The status is up to date.'}
          </VisuallyHidden>
        </div>
        {failure !== undefined && (
          <Notice tone="error">
            <p>{failure}</p>
          </Notice>
        )}
      </div>
      {site.tokenDonations && <DonationsNeeded status={status} failed={failure !== undefined} />}
      <Section title="What the words mean">
        <ul>
          <li>A healthy token can answer a lookup now.</li>
          <li>A cooling token waits until {site.platformName} lets it ask again.</li>
          <li>A retired token was revoked or terminated; it is no longer used.</li>
          <li>
            A refused lookup got no answer, for want of a free token or because {site.platformName} failed.
          </li>
        </ul>
        <p>
          Programs read the same from <a href="/status.json">/status.json</a>. The whole API is described in{' '}
          <a href="/openapi.json">/openapi.json</a>.
        </p>
      </Section>
    </TextPage>
  );
};

const NOTHING_YET = '–';

/** Has its shape before it has its numbers, so that nothing moves when they come. */
const StatusFigures = ({ status }: { readonly status: Status | undefined }): ReactNode => {
  const retirement = status?.last_retirement;
  const figure = (figureOf: (known: Status) => number): ReactNode =>
    status ? figureOf(status) : NOTHING_YET;
  return (
    <dl className={`${styles.card} ${styles.figures}`} aria-busy={status === undefined}>
      <Fact name="Tokens healthy">{figure(({ tokens }) => tokens.healthy)}</Fact>
      <Fact name="Tokens cooling">{figure(({ tokens }) => tokens.cooling)}</Fact>
      <Fact name="Tokens retired">{figure(({ tokens }) => tokens.retired)}</Fact>
      <Fact name="Lookups served, last hour">{figure((known) => known.lookups_last_hour.served)}</Fact>
      <Fact name="Lookups refused, last hour">{figure((known) => known.lookups_last_hour.refused)}</Fact>
      <Fact name="Last retirement">
        {retirement ? <Time iso={retirement} /> : status ? 'None so far' : NOTHING_YET}
      </Fact>
    </dl>
  );
};

type DonationsNeededProps = { readonly status: Status | undefined; readonly failed: boolean };

const needInWords = ({ status, failed }: DonationsNeededProps): string => {
  if (status === undefined) return failed ? 'We cannot tell at the moment.' : 'One moment…';
  return status.donations_needed ? 'Yes: few are left, every one helps.' : 'Not right now: there are enough.';
};

const DonationsNeeded = (props: DonationsNeededProps): ReactNode => (
  <Section title="Are donations needed?">
    <p>{needInWords(props)}</p>
    <ButtonLink href="/#donate-token" look={props.status?.donations_needed ? 'primary' : 'plain'}>
      Donate a bot token
    </ButtonLink>
    <p>
      Before you do, read <a href="/token-donation">how token donations work</a>.
    </p>
  </Section>
);
