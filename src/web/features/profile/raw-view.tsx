import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { rawJson } from './raw-json.ts';
import styles from './raw-view.module.css';

type RawViewProps = { readonly profile: Profile };

export const RawView = ({ profile }: RawViewProps): ReactNode => {
  const json = rawJson(profile);
  return (
    <div className={styles.raw}>
      <CopyButton text={json} label="Copy JSON">
        Copy JSON
      </CopyButton>
      <pre tabIndex={0} role="region" aria-label="Raw JSON">
        {json}
      </pre>
    </div>
  );
};
