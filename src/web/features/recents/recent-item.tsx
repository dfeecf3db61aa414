import { useState, type ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { Icon } from '../../ui/icon.tsx';
import type { RecentLookup } from './recents-store.ts';
import styles from './recents.module.css';

const smallPicture = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  url.searchParams.delete('animated');
  if (url.searchParams.has('size')) url.searchParams.set('size', '64');
  return url.href;
};

type RecentItemProps = {
  readonly lookup: RecentLookup;
  readonly onPick: () => void;
  readonly onRemove: () => void;
};

export const RecentItem = ({
  lookup: { id, name, avatarUrl },
  onPick,
  onRemove,
}: RecentItemProps): ReactNode => {
  const [broken, setBroken] = useState(false);
  const picture = smallPicture(avatarUrl);
  const remove = fill(useTexts('recents').remove, { name: isolate(name) });
  return (
    <li>
      <button type="button" className={styles.card} onClick={onPick}>
        <span className={styles.avatar}>
          {picture === '' || broken ? (
            <span aria-hidden="true">{Array.from(name)[0]?.toUpperCase()}</span>
          ) : (
            <img src={picture} alt="" width="40" height="40" loading="lazy" onError={() => setBroken(true)} />
          )}
        </span>
        <span className={styles.who}>
          <bdi className={`cut ${styles.name}`}>{name}</bdi> <bdi className={`small ${styles.id}`}>{id}</bdi>
        </span>
      </button>
      <button type="button" className={styles.remove} title={remove} aria-label={remove} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
};
