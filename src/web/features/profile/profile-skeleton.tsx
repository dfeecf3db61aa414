import type { ReactNode } from 'react';
import { GrowingFlake } from '../../ui/growing-flake.tsx';
import { AccountAge } from './account-age.tsx';
import layout from './card-layout.module.css';
import { ProfileFacts, useCreated } from './profile-facts.tsx';
import styles from './profile-skeleton.module.css';

type ProfileSkeletonProps = { readonly id: string; readonly share: number };

/** The same size as the card, in whose place it is shown. */
export const ProfileSkeleton = ({ id, share }: ProfileSkeletonProps): ReactNode => {
  const created = useCreated(id);
  return (
    <div className={`surface ${layout.card} ${styles.skeleton}`}>
      <div className={layout.banner} />
      <div className={layout.head}>
        <div className={layout.avatar}>
          <div className={styles.flake}>
            <GrowingFlake share={share} />
          </div>
        </div>
        <div className={styles.lines}>
          <i />
          <i />
        </div>
      </div>
      <AccountAge {...created} />
      <ProfileFacts id={id} created={created} guilds={[]} />
      <div className={`row ${layout.actions} ${styles.actions}`}>
        <i />
        <i />
      </div>
      <RestOfSkeleton />
    </div>
  );
};

export const RestOfSkeleton = (): ReactNode => (
  <>
    <div className={styles.tile} />
    <div className={styles.drawer} />
  </>
);
