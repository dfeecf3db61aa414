import type { ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import layout from './card-layout.module.css';
import { ProfileFacts } from './profile-facts.tsx';
import styles from './profile-skeleton.module.css';

type ProfileSkeletonProps = {
  readonly id: string;
  /** How much of the captcha is solved, from 0 to 1. */
  readonly share: number;
};

/** Shown in place of the card while the profile loads: the same size, with what the id itself reveals. */
export const ProfileSkeleton = ({ id, share }: ProfileSkeletonProps): ReactNode => (
  <div className={`${layout.card} ${styles.skeleton}`} aria-hidden="true" inert>
    <div className={layout.banner}>
      <progress className={styles.progress} value={share} />
    </div>
    <div className={layout.head}>
      <div className={layout.avatar} />
      <div className={styles.lines}>
        <i />
        <i />
      </div>
    </div>
    <ProfileFacts
      id={id}
      created_at={new Date(decodeSnowflake(id as Snowflake).createdMs).toISOString()}
      clan={null}
      primary_guild={null}
      badge_url={null}
    />
    <div className={`${layout.actions} ${styles.actions}`}>
      <i />
      <i />
      <i />
    </div>
    <div className={styles.tile} />
    <div className={styles.drawer} />
  </div>
);
