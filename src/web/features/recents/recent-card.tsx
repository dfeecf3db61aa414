import { useState, type ReactNode } from 'react';
import type { RecentLookup } from './recents-store.ts';
import styles from './recents.module.css';

export const smallPicture = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  url.searchParams.delete('animated');
  if (url.searchParams.has('size')) url.searchParams.set('size', '64');
  return url.href;
};

export const RecentAvatar = ({ lookup }: { readonly lookup: RecentLookup }): ReactNode => {
  const [broken, setBroken] = useState(false);
  const picture = smallPicture(lookup.avatarUrl);
  return (
    <span className={styles.avatar}>
      {picture === '' || broken ? (
        <span aria-hidden="true">{Array.from(lookup.name)[0]?.toUpperCase()}</span>
      ) : (
        <img src={picture} alt="" width="40" height="40" loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  );
};

type RecentCardProps = {
  readonly lookup: RecentLookup;
  /** Undefined if it is not to be chosen but opened. */
  readonly chosen: boolean | undefined;
  readonly onPress: () => void;
};

export const RecentCard = ({ lookup, chosen, onPress }: RecentCardProps): ReactNode => (
  <button type="button" className={styles.card} aria-pressed={chosen} onClick={onPress}>
    <RecentAvatar lookup={lookup} />
    <span className={styles.who}>
      <bdi className={`cut ${styles.name}`}>{lookup.name}</bdi>{' '}
      <bdi className={`small ${styles.id}`}>{lookup.id}</bdi>
    </span>
  </button>
);
