import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { BRAND_FLAKE } from '../../ui/growing-flake.tsx';
import styles from './example-card.module.css';

export const ExampleCard = (): ReactNode => {
  const [sample] = useEnvironment().site.sampleIds;
  return (
    <div className={`surface ${styles.card}`} aria-hidden="true">
      <svg className={styles.band} viewBox="0 0 272 104">
        <path d={BRAND_FLAKE} transform="translate(222 34) scale(1.5)" />
      </svg>
      <div className={styles.avatar}>
        {sample?.avatarUrl === undefined ? (
          <svg viewBox="-50 -50 100 100">
            <path d={BRAND_FLAKE} />
          </svg>
        ) : (
          <img src={sample.avatarUrl} alt="" width="72" height="72" loading="lazy" />
        )}
      </div>
      {sample?.name === undefined ? <i /> : <b>{sample.name}</b>}
      <i className={styles.handle} />
      <svg className={styles.line} height="12">
        <line x1="0" x2="100%" y1="6" y2="6" />
        <circle cx="28%" cy="6" r="5" />
      </svg>
      <div className={styles.facts}>
        <i />
        <i />
      </div>
    </div>
  );
};
