import type { ReactNode } from 'react';
import layout from './card-layout.module.css';
import styles from './profile-skeleton.module.css';

/** The card's shape while its profile is on the way. */
export const ProfileSkeleton = (): ReactNode => (
  <div className={`${layout.card} ${styles.skeleton}`} aria-hidden="true">
    <div className={layout.banner} />
    <div className={layout.top}>
      <div className={layout.avatar} />
    </div>
    <div className={layout.names}>
      <div className={`${layout.title} ${styles.line}`} />
      <div className={`${layout.username} ${styles.line}`} />
    </div>
    <div className={styles.chips} />
    <div className={styles.facts}>
      {['ID', 'created', 'age', 'flags', 'color'].map((fact) => (
        <div key={fact} className={styles.line} />
      ))}
    </div>
    <div className={layout.drawers} />
  </div>
);
