import type { ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { ageInWords } from '../../ui/age.ts';
import { Fact } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './snowflake-panel.module.css';

const NOTHING = '–';

/** What an id tells by itself. Has its place before there is an id, so that nothing moves when there is one. */
export const SnowflakePanel = ({ id }: { readonly id: Snowflake | undefined }): ReactNode => {
  const parts = id && decodeSnowflake(id);
  return (
    <dl className={styles.panel} aria-hidden={parts === undefined}>
      <Fact name="Created" className={styles.created}>
        {parts ? (
          <Time iso={new Date(parts.createdMs).toISOString()} />
        ) : (
          'An ID tells this by itself, as you type.'
        )}
      </Fact>
      <Fact name="Age" className={styles.age}>
        {parts ? ageInWords(parts.createdMs, Date.now()) : NOTHING}
      </Fact>
      <Fact name="Worker">{parts?.worker ?? NOTHING}</Fact>
      <Fact name="Process">{parts?.process ?? NOTHING}</Fact>
      <Fact name="Increment">{parts?.increment ?? NOTHING}</Fact>
    </dl>
  );
};
