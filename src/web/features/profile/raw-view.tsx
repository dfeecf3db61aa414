import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './raw-view.module.css';

/** What a name might hide: characters that are not seen, or that change the order of those that are. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/gu;

const escapeUnits = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON for people to read: all that is in it can be seen. */
export const rawJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSEEN, (unseen) =>
    unseen === '\n' ? unseen : escapeUnits(unseen),
  );

export const RawView = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const json = rawJson(profile);
  return (
    <div className={styles.raw}>
      <CopyButton text={json} label="Copy JSON" labelled />
      <pre tabIndex={0} role="region" aria-label="Raw JSON">
        {json}
      </pre>
    </div>
  );
};
