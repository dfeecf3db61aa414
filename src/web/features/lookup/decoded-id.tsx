import type { ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { ageInWords } from '#shared/age.ts';
import { Fact } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './decoded-id.module.css';

/** In English like all else, until the pages are translated. */
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What an id tells by itself, in one line, with the rest behind it. */
export const DecodedId = ({ id }: { readonly id: Snowflake }): ReactNode => {
  const { createdMs, worker, process, increment } = decodeSnowflake(id);
  const [age] = ageInWords(createdMs, Date.now()).split(',');
  return (
    <details className={styles.decoded}>
      <summary>
        <span>
          <strong>Account created {DAY.format(createdMs)}</strong> · {age} ago
        </span>{' '}
        <span className={styles.more}>Details</span>
      </summary>
      <dl>
        <Fact name="Created" className={styles.created}>
          <Time iso={new Date(createdMs).toISOString()} />
        </Fact>
        <Fact name="Worker">{worker}</Fact>
        <Fact name="Process">{process}</Fact>
        <Fact name="Increment">{increment}</Fact>
      </dl>
    </details>
  );
};
