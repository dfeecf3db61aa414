import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { MORE_SAMPLES, SAMPLES } from '../../texts/lookup/page.ts';
import styles from './sample-profiles.module.css';

/** Made-up profiles for visitors without an ID at hand. Only the sandbox has any. */
export const SampleProfiles = ({ onPick }: { readonly onPick: (id: string) => void }): ReactNode => {
  const { sampleIds } = useEnvironment().site;
  const chip = (sample: (typeof sampleIds)[number]): ReactNode => (
    <button key={sample.id} type="button" title={sample.id} onClick={() => onPick(sample.id)}>
      {sample.avatarUrl !== undefined && <img src={sample.avatarUrl} alt="" width="30" height="30" />}
      {sample.name ?? sample.label}
    </button>
  );
  return (
    sampleIds.length > 0 && (
      <section className={styles.samples} aria-label={SAMPLES}>
        <div>{sampleIds.filter(({ name }) => name !== undefined).map(chip)}</div>
        <details>
          <summary>{MORE_SAMPLES}</summary>
          <div>{sampleIds.filter(({ name }) => name === undefined).map(chip)}</div>
        </details>
      </section>
    )
  );
};
