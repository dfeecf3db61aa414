import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { summarizeStatus } from './live-status.ts';
import styles from './status-link.module.css';

/** The status in a few words. */
export const StatusHeadline = ({ status }: { readonly status: Status }): ReactNode => {
  const { tone, words } = summarizeStatus(status);
  return (
    <p className={styles.headline}>
      <span className={`${styles.dot} ${styles[tone]}`} aria-hidden="true" />
      {words}
    </p>
  );
};
