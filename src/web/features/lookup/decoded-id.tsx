import type { ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Fact } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';
import { plausibleId } from './id-note.ts';
import styles from './decoded-id.module.css';

const DecodedId = ({ id }: { readonly id: Snowflake }): ReactNode => {
  const { createdMs, worker, process, increment } = decodeSnowflake(id);
  const texts = useTexts('id');
  const ui = useTexts('ui');
  const formats = useFormats();
  return (
    <details className={styles.decoded}>
      <summary className="target">
        <span>
          <strong>{fill(texts.accountCreated, { day: formats.day(createdMs) })}</strong>{' '}
          <span className={styles.age}>{formats.ago([createdMs, Date.now()], ui)}</span>
        </span>{' '}
        <span className={styles.more}>{texts.more}</span>
      </summary>
      <dl>
        <Fact name={texts.created} className={styles.created}>
          <Time iso={new Date(createdMs).toISOString()} />
        </Fact>
        <Fact name={texts.worker}>{worker}</Fact>
        <Fact name={texts.process}>{process}</Fact>
        <Fact name={texts.increment}>{increment}</Fact>
      </dl>
    </details>
  );
};

export const decode = (text: string): ReactNode => {
  const id = plausibleId(text);
  return id && <DecodedId key={id} id={id} />;
};
