import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { keepStored, mayStore, readStored } from '../../browser.ts';
import { useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { RecentItem } from './recent-item.tsx';
import { createRecentsStore, type RecentLookup } from './recents-store.ts';
import styles from './recents.module.css';

type RecentsProps = {
  readonly current: RecentLookup | undefined;
  readonly onPick: (id: string) => void;
};

export const Recents = ({ current, onPick }: RecentsProps): ReactNode => {
  const [store] = useState(() => createRecentsStore({ readStored, keepStored, page: window }));
  const recents = useSyncExternalStore(store.subscribe, store.read);
  const kept = recents !== undefined;
  const texts = useTexts('recents');
  const [announcement, setAnnouncement] = useState('');
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (kept && current !== undefined) store.add(current);
  }, [store, kept, current]);

  // Not offered where nothing can be kept or there is nothing to keep, except to a visitor who has just switched it off.
  if (!kept && (!mayStore() || (current === undefined && announcement === ''))) return null;

  const button = (label: string, announced: string, change: () => void): ReactNode => (
    <Button
      onClick={() => {
        change();
        setAnnouncement(announced);
      }}
    >
      {label}
    </Button>
  );
  if (!kept)
    return (
      <div className="row">
        {button(texts.switchOn, texts.switchedOn, () => store.switchOn(current))}
        <VisuallyHidden live>{announcement}</VisuallyHidden>
      </div>
    );
  return (
    <section className={styles.recents} aria-labelledby={titleId}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {texts.title}
      </h2>
      {recents.length === 0 ? (
        <p className="quiet">{texts.empty}</p>
      ) : (
        <ul className={styles.list}>
          {recents.map((lookup) => (
            <RecentItem
              key={lookup.id}
              lookup={lookup}
              onPick={() => onPick(lookup.id)}
              onRemove={() => {
                store.remove(lookup.id);
                setAnnouncement(fill(texts.removed, { name: isolate(lookup.name) }));
                // The pressed button goes away, as it does below.
                title.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <div className="row">
        {recents.length > 0 &&
          button(texts.clear, texts.cleared, () => {
            store.clear();
            toggle.current?.focus();
          })}
        <Button
          ref={toggle}
          onClick={() => {
            store.switchOff();
            setAnnouncement(texts.switchedOff);
          }}
        >
          {texts.switchOff}
        </Button>
      </div>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </section>
  );
};
