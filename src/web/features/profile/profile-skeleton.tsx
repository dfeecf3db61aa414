import type { ReactNode } from 'react';
import layout from './card-layout.module.css';
import factStyles from './profile-facts.module.css';
import styles from './profile-skeleton.module.css';

/** The card's shape while its profile is on the way. */
export const ProfileSkeleton = (): ReactNode => (
  <div className={`${layout.card} ${styles.skeleton}`} aria-hidden="true">
    <div className={layout.band} />
    <div className={layout.head}>
      <div className={layout.avatar} />
      <div className={styles.lines}>
        <i />
        <i />
      </div>
    </div>
    <div className={styles.tools} />
    <div className={`${factStyles.facts} ${styles.facts}`}>
      <div />
      <div />
      <div />
    </div>
    <div className={styles.tile} />
    <div className={styles.drawer} />
  </div>
);
