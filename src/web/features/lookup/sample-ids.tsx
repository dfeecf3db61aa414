import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import styles from './sample-ids.module.css';

type SampleIdsProps = { readonly samples: Site['sampleIds']; readonly onPick: (id: string) => void };

export const SampleIds = ({ samples, onPick }: SampleIdsProps): ReactNode =>
  samples.length > 0 && (
    <details className={styles.samples}>
      <summary>Sample IDs to try</summary>
      <div className={styles.list}>
        {samples.map(({ id, label }) => (
          <button key={id} type="button" className={styles.sample} title={id} onClick={() => onPick(id)}>
            {label}
          </button>
        ))}
      </div>
    </details>
  );
