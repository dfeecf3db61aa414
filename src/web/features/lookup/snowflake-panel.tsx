import type { ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { ageInWords } from '../../ui/age.ts';
import { Time } from '../../ui/time.tsx';
import styles from './snowflake-panel.module.css';

const NOTHING = '–';

type SnowflakePanelProps = { readonly id: Snowflake | undefined };

/** What an id tells by itself. Has its place before there is an id, so that nothing moves when there is one. */
export const SnowflakePanel = ({ id }: SnowflakePanelProps): ReactNode => {
  const parts = id && decodeSnowflake(id);
  return (
    <dl className={styles.panel} aria-hidden={parts === undefined}>
      <div className={styles.created}>
        <dt>Created</dt>
        <dd>
          {parts ? (
            <Time iso={new Date(parts.createdMs).toISOString()} />
          ) : (
            'An ID tells this by itself, as you type.'
          )}
        </dd>
      </div>
      <div className={styles.age}>
        <dt>Age</dt>
        <dd>{parts ? ageInWords(parts.createdMs, Date.now()) : NOTHING}</dd>
      </div>
      <div>
        <dt>Worker</dt>
        <dd>{parts?.worker ?? NOTHING}</dd>
      </div>
      <div>
        <dt>Process</dt>
        <dd>{parts?.process ?? NOTHING}</dd>
      </div>
      <div>
        <dt>Increment</dt>
        <dd>{parts?.increment ?? NOTHING}</dd>
      </div>
    </dl>
  );
};
