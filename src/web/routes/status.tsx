import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useFormats, useTexts } from '../environment.ts';
import { summarizeStatus } from '../features/status/live-status.ts';
import { DayChart } from '../features/status/day-chart.tsx';
import { agoInWords, timeOfDay } from '../features/status/figure-formats.ts';
import styles from '../features/status/status.module.css';
import { useSecondsSince, useStatus } from '../features/status/use-status.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Notice } from '../ui/notice.tsx';
import { Prose, ProseSection } from '../ui/prose.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';
import pageStyles from '../ui/text-page.module.css';
import { Time } from '../ui/time.tsx';

export const StatusRoute = (): ReactNode => {
  const { site } = useEnvironment();
  if (site.status === undefined) throw new Error('The page came without the status.');
  const texts = useTexts('status');
  const { status, takenMs, failure, reading, refresh } = useStatus(site.status);
  return (
    <TextPage title={texts.title} lead={texts.lead}>
      <div className={pageStyles.section}>
        <div className={styles.headline}>
          <div>
            <Headline status={status} />
            <Updated iso={status.updated_at} takenMs={takenMs} />
          </div>
          {/* Without scripts it fetches the page again. */}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              refresh();
            }}
          >
            <Button type="submit" busy={reading}>
              {texts.refresh}
            </Button>
            <VisuallyHidden live>{!reading && failure === undefined && texts.upToDate}</VisuallyHidden>
          </form>
        </div>
        {failure !== undefined && (
          <Notice tone="error">
            <p>{failure}</p>
          </Notice>
        )}
        <Board {...status} />
      </div>
      {site.tokenDonations && <DonationsNeeded needed={status.donations_needed} />}
      <ProseSection {...texts.glossary} />
    </TextPage>
  );
};

/** The status in a few words. */
const Headline = ({ status }: { readonly status: Status }): ReactNode => {
  const { tone, words } = summarizeStatus(status);
  const texts = useTexts('live');
  return (
    <p>
      <span className={styles.dot} data-tone={tone} aria-hidden="true" />
      {texts[words]}
    </p>
  );
};

type UpdatedProps = { readonly iso: string; readonly takenMs: number | undefined };

const Updated = ({ iso, takenMs }: UpdatedProps): ReactNode => {
  const texts = useTexts('status');
  const formats = useFormats();
  const seconds = useSecondsSince(takenMs);
  const ago = seconds && agoInWords(formats, seconds);
  return (
    <time dateTime={iso} className={styles.updated}>
      {seconds === undefined
        ? fill(texts.updatedAt, { time: timeOfDay(iso) })
        : ago
          ? fill(texts.updatedAgo, { ago })
          : texts.updatedNow}
    </time>
  );
};

const Board = ({ tokens, lookups_last_hour: lookups, last_24_hours: hours, ...rest }: Status): ReactNode => {
  const texts = useTexts('status');
  const { count } = useFormats();
  return (
    <div className={`${pageStyles.card} ${pageStyles.board}`}>
      <div className={pageStyles.group}>
        <h2>{texts.lookups}</h2>
        <dl>
          <Fact name={texts.served}>{count(lookups.served)}</Fact>
          <Fact name={texts.refused}>{count(lookups.refused)}</Fact>
        </dl>
      </div>
      <div className={pageStyles.group}>
        <h2>{texts.tokens}</h2>
        <dl>
          <Fact name={texts.healthy}>{count(tokens.healthy)}</Fact>
          <Fact name={texts.cooling}>{count(tokens.cooling)}</Fact>
          <Fact name={texts.retired}>{count(tokens.retired)}</Fact>
        </dl>
      </div>
      {hours.length > 0 && <DayChart hours={hours} />}
      <dl className={pageStyles.last}>
        <Fact name={texts.lastRetirement}>
          {rest.last_retirement === null ? texts.noRetirement : <Time iso={rest.last_retirement} />}
        </Fact>
      </dl>
    </div>
  );
};

const DonationsNeeded = ({ needed }: { readonly needed: boolean }): ReactNode => {
  const { needed: texts } = useTexts('status');
  const { donateToken } = useTexts('ui');
  return (
    <Section title={texts.title}>
      <p>{needed ? texts.yes : texts.no}</p>
      <ButtonLink href="/#donate-token" look={needed ? 'primary' : 'plain'}>
        {donateToken}
      </ButtonLink>
      <Prose texts={[texts.readFirst]} />
    </Section>
  );
};
