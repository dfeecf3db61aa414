import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

type NoticeProps = {
  readonly tone: 'error' | 'warning' | 'success' | 'wait';
  readonly id?: string;
  readonly children: ReactNode;
};

export const Notice = ({ tone, id, children }: NoticeProps): ReactNode => (
  <div role="alert" id={id} className={styles[tone]}>
    <Icon name={tone} />
    <div className={styles.content}>{children}</div>
  </div>
);

/** Stands where the card would: an `h2`, then what to do. */
export const NoticePanel = ({ tone, id, children }: NoticeProps): ReactNode => (
  <div role="alert" id={id} className={`surface ${styles.panel}`}>
    <span className={styles[tone]}>
      <Icon name={tone} />
    </span>
    {children}
  </div>
);
