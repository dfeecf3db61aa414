import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import styles from '../../ui/text-page.module.css';
import { Time } from '../../ui/time.tsx';

const NOTHING_YET = '–';

type StatusFiguresProps = { readonly status: Status | undefined };

/** Has its shape before it has its numbers, so that nothing moves when they come. */
export const StatusFigures = ({ status }: StatusFiguresProps): ReactNode => {
  const retirement = status?.last_retirement;
  return (
    <dl className={`${styles.card} ${styles.figures}`} aria-busy={status === undefined}>
      <Figure name="Tokens healthy" value={status?.tokens.healthy} />
      <Figure name="Tokens cooling" value={status?.tokens.cooling} />
      <Figure name="Tokens retired" value={status?.tokens.retired} />
      <Figure name="Lookups served, last hour" value={status?.lookups_last_hour.served} />
      <Figure name="Lookups refused, last hour" value={status?.lookups_last_hour.refused} />
      <div>
        <dt>Last retirement</dt>
        <dd>{retirement ? <Time iso={retirement} /> : status ? 'None so far' : NOTHING_YET}</dd>
      </div>
    </dl>
  );
};

type FigureProps = { readonly name: string; readonly value: number | undefined };

const Figure = ({ name, value }: FigureProps): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? NOTHING_YET}</dd>
  </div>
);
