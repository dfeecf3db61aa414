import type { ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from './sample-profiles.module.css';

type SampleProfilesProps = { readonly onPick: (id: string) => void };

const useChips = (onPick: (id: string) => void, named: boolean): readonly ReactNode[] => {
  const labels: Partial<Record<string, string>> = useTexts('samples');
  return useEnvironment()
    .site.sampleIds.filter(({ name }) => (name !== undefined) === named)
    .map(({ id, label, name, avatarUrl }) => (
      <Button key={id} title={id} onClick={() => onPick(id)}>
        {avatarUrl && <img src={avatarUrl} alt="" width="30" height="30" />}
        {name ?? labels[label] ?? label}
      </Button>
    ));
};

/** Below the field that they fill. */
export const SampleProfiles = ({ onPick }: SampleProfilesProps): ReactNode => {
  const chips = useChips(onPick, true);
  const { samples } = useTexts('lookup');
  return (
    chips.length > 0 && (
      <div className={`scripted ${styles.samples}`}>
        <h2 className="small">{samples}</h2>
        <div className="row">{chips}</div>
      </div>
    )
  );
};

export const MoreSamples = ({ onPick }: SampleProfilesProps): ReactNode => {
  const chips = useChips(onPick, false);
  const { moreSamples } = useTexts('lookup');
  return (
    chips.length > 0 && (
      <details className={`scripted ${styles.samples}`}>
        <summary className="quiet">{moreSamples}</summary>
        <div className="row">{chips}</div>
      </details>
    )
  );
};
