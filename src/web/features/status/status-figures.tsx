import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { Fact } from '../../ui/fact.tsx';
import styles from '../../ui/text-page.module.css';
import { Time } from '../../ui/time.tsx';

const NOTHING_YET = '–';

/** Has its shape before it has its numbers, so that nothing moves when they come. */
export const StatusFigures = ({ status }: { readonly status: Status | undefined }): ReactNode => {
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
