import type { ReactNode } from 'react';
import styles from './spoken.module.css';

type SpokenProps = {
  /** Says every change by itself. The element must stand there, empty, before it has something to say. */
  readonly live?: boolean;
  readonly children: ReactNode;
};

/** Text for those who hear the page; the others see what it says. */
export const Spoken = ({ live = false, children }: SpokenProps): ReactNode => (
  <span className={styles.spoken} role={live ? 'status' : undefined}>
    {children}
  </span>
);
