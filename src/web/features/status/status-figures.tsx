import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { Fact } from '../../ui/fact.tsx';
import styles from '../../ui/text-page.module.css';
import { Time } from '../../ui/time.tsx';

const NOTHING_YET = '–';

const FIGURES: readonly (readonly [name: string, figureOf: (status: Status) => number])[] = [
  ['Tokens healthy', ({ tokens }) => tokens.healthy],
  ['Tokens cooling', ({ tokens }) => tokens.cooling],
  ['Tokens retired', ({ tokens }) => tokens.retired],
  ['Lookups served, last hour', ({ lookups_last_hour }) => lookups_last_hour.served],
  ['Lookups refused, last hour', ({ lookups_last_hour }) => lookups_last_hour.refused],
];

/** Has its shape before it has its numbers, so that nothing moves when they come. */
export const StatusFigures = ({ status }: { readonly status: Status | undefined }): ReactNode => {
  const retirement = status?.last_retirement;
  return (
    <dl className={`${styles.card} ${styles.figures}`} aria-busy={status === undefined}>
      {FIGURES.map(([name, figureOf]) => (
        <Fact key={name} name={name}>
          {status ? figureOf(status) : NOTHING_YET}
        </Fact>
      ))}
      <Fact name="Last retirement">
        {retirement ? <Time iso={retirement} /> : status ? 'None so far' : NOTHING_YET}
      </Fact>
    </dl>
  );
};
