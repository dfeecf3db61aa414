import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import { summarizeStatus } from '../features/status/read-status.ts';
import { DayChart } from '../features/status/day-chart.tsx';
import styles from '../features/status/status.module.css';
import { useNowMs, useStatus } from '../features/status/use-status.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Notice } from '../ui/notice.tsx';
import { Prose, Section } from '../ui/prose.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { TextPage } from '../ui/text-page.tsx';
import pageStyles from '../ui/text-page.module.css';
import { Time } from '../ui/time.tsx';

export const StatusRoute = (): ReactNode => {
  const { site } = useEnvironment();
  if (site.status === undefined) throw new Error('The page came without the status.');
  const texts = useTexts('status');
  const live = useTexts('live');
  const { status, takenMs, failure, reading, refresh } = useStatus(site.status);
  const { tone, words } = summarizeStatus(status);
  return (
    <TextPage title={texts.title} lead={texts.lead}>
      <div className={pageStyles.section}>
        <div className={`row ${styles.headline}`}>
          <div>
            <p>
              <span className={styles.dot} data-tone={tone} aria-hidden="true" />
              {live[words]}
            </p>
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
      <Prose texts={[texts.data]} />
    </TextPage>
  );
};

type UpdatedProps = { readonly iso: string; readonly takenMs: number | undefined };

const Updated = ({ iso, takenMs }: UpdatedProps): ReactNode => {
  const texts = useTexts('status');
  const ui = useTexts('ui');
  const { ago } = useFormats();
  const nowMs = useNowMs();
  const old = takenMs !== undefined && nowMs - takenMs >= 60_000;
  return (
    <time dateTime={iso} className="quiet">
      {old ? fill(texts.updatedAgo, { ago: ago([takenMs, nowMs], ui) }) : texts.updatedNow}
    </time>
  );
};

const Board = ({ tokens, lookups_last_hour: lookups, last_24_hours: hours, ...rest }: Status): ReactNode => {
  const texts = useTexts('status');
  const { notes } = texts;
  return (
    <div className={`surface ${pageStyles.card} ${pageStyles.board}`}>
      <div className={pageStyles.group}>
        <h2>{texts.lookups}</h2>
        <dl>
          <Figure name={texts.served} number={lookups.served} />
          <Figure name={texts.refused} number={lookups.refused} note={notes.refused} />
        </dl>
      </div>
      <div className={pageStyles.group}>
        <h2>{texts.tokens}</h2>
        <dl>
          <Figure name={texts.healthy} number={tokens.healthy} note={notes.healthy} />
          <Figure name={texts.cooling} number={tokens.cooling} note={notes.cooling} />
          <Figure name={texts.retired} number={tokens.retired} note={notes.retired} />
        </dl>
      </div>
      {hours.length > 0 && <DayChart hours={hours} />}
      {rest.last_retirement !== null && (
        <dl className={pageStyles.last}>
          <Fact name={texts.lastRetirement}>
            <Time iso={rest.last_retirement} />
          </Fact>
        </dl>
      )}
    </div>
  );
};

type FigureProps = { readonly name: string; readonly number: number; readonly note?: string };

const Figure = ({ name, number, note }: FigureProps): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{useFormats().count(number)}</dd>
    {note !== undefined && <dd className={`small ${pageStyles.note}`}>{note}</dd>}
  </div>
);

const DonationsNeeded = ({ needed }: { readonly needed: boolean }): ReactNode => {
  const { needed: texts } = useTexts('status');
  const { donateToken } = useTexts('ui');
  return (
    <Section title={texts.title}>
      <p>{needed ? texts.yes : texts.no}</p>
      {needed && (
        <>
          <ButtonLink href="/#donate-token" look="primary">
            {donateToken}
          </ButtonLink>
          <Prose texts={[texts.readFirst]} />
        </>
      )}
    </Section>
  );
};
