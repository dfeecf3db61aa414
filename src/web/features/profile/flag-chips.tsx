import type { ReactNode } from 'react';
import type { ProfileFlag } from '#shared/contract/profile.ts';
import styles from './flag-chips.module.css';

type FlagChipsProps = { readonly flags: readonly ProfileFlag[] };

export const FlagChips = ({ flags }: FlagChipsProps): ReactNode =>
  flags.length > 0 && (
    <ul className={styles.flags} aria-label="Flags">
      {flags.map(({ id, name, image }) => (
        <li key={id}>
          {image !== null && <img src={image} alt="" width="22" height="22" />}
          {name}
        </li>
      ))}
    </ul>
  );
