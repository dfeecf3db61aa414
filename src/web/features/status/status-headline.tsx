import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { statusReading } from '../../texts/status.ts';
import { summarizeStatus } from './live-status.ts';
import styles from './status-link.module.css';

/** The status in a few words. Has its place before it has them. */
export const StatusHeadline = ({ status }: { readonly status: Status | undefined }): ReactNode => {
  const live = status && summarizeStatus(status);
  return (
    <p className={styles.headline}>
      <span className={`${styles.dot} ${live ? styles[live.tone] : ''}`} aria-hidden="true" />
      {live?.words ?? statusReading.unknown}
    </p>
  );
};
