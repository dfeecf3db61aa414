import type { ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from './sample-profiles.module.css';

type SampleProfilesProps = { readonly onPick: (id: string) => void };

export const SampleProfiles = (props: SampleProfilesProps): ReactNode =>
  useEnvironment().site.sampleIds.length > 0 && <Samples {...props} />;

const Samples = ({ onPick }: SampleProfilesProps): ReactNode => {
  const { sampleIds } = useEnvironment().site;
  const texts = useTexts('lookup');
  const labels: Partial<Record<string, string>> = useTexts('samples');
  const chip = (sample: (typeof sampleIds)[number]): ReactNode => (
    <Button key={sample.id} title={sample.id} onClick={() => onPick(sample.id)}>
      {sample.avatarUrl && <img src={sample.avatarUrl} alt="" width="30" height="30" />}
      {sample.name ?? labels[sample.label] ?? sample.label}
    </Button>
  );
  return (
    <section className={`scripted ${styles.samples}`} aria-label={texts.samples}>
      <div className="row">{sampleIds.filter(({ name }) => name).map(chip)}</div>
      <details>
        <summary className="quiet">{texts.moreSamples}</summary>
        <div className="row">{sampleIds.filter(({ name }) => !name).map(chip)}</div>
      </details>
    </section>
  );
};
