import type { ReactNode } from 'react';
import { STATUS_PATH } from '#shared/paths.ts';
import { useLocalPath, useTexts } from '../../environment.ts';
import styles from './status.module.css';

/** `status-words.ts` adds how lookups are going, except on the status page, which shows all of it. */
export const StatusLink = ({ path }: { readonly path: string }): ReactNode => {
  const { status } = useTexts('frame');
  const words = JSON.stringify(useTexts('live'));
  const here = path === STATUS_PATH;
  return (
    <div className={styles.line}>
      <a
        className="target"
        href={useLocalPath()(STATUS_PATH)}
        {...(here ? { 'aria-current': 'page' } : { id: 'status', 'data-words': words })}
      >
        <span className={styles.dot} aria-hidden="true" />
        {status}
      </a>
    </div>
  );
};
