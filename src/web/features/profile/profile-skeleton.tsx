import type { ReactNode } from 'react';
import { GrowingFlake } from '../../ui/growing-flake.tsx';
import layout from './card-layout.module.css';
import styles from './profile-skeleton.module.css';

/** The same size as the card, in whose place it is shown. It says nothing: nobody has been found yet. */
export const ProfileSkeleton = ({ share }: { readonly share: number }): ReactNode => (
  <div className={`surface ${layout.card} ${styles.skeleton}`}>
    <div className={layout.banner} />
    <div className={layout.head}>
      <div className={layout.avatar}>
        <GrowingFlake share={share} />
      </div>
      <div>
        <i />
        <i />
      </div>
    </div>
    <i className={styles.age} />
    <i className={styles.fact} />
    <i />
    <RestOfSkeleton />
  </div>
);

export const RestOfSkeleton = (): ReactNode => (
  <>
    <div className={styles.tile} />
    <div className={styles.drawer} />
  </>
);
