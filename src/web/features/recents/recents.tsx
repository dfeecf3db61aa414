import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { keepStored, mayStore, readStored } from '../../browser.ts';
import { useTexts } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { ChosenPair } from './comparison.tsx';
import { RecentCard } from './recent-card.tsx';
import { createRecentsStore, type RecentLookup, type RecentsStore } from './recents-store.ts';
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
  const [chosen, setChosen] = useState<readonly string[]>();
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (kept && current !== undefined) store.add(current);
  }, [store, kept, current]);

  // Not offered where nothing can be kept or there is nothing to keep, except to a visitor who has just switched it off.
  if (!kept && (!mayStore() || (current === undefined && announcement === ''))) return null;
  if (!kept)
    return (
      <div className="row">
        <Button
          onClick={() => {
            store.switchOn(current);
            setAnnouncement(texts.switchedOn);
          }}
        >
          {texts.switchOn}
        </Button>
        <VisuallyHidden live>{announcement}</VisuallyHidden>
      </div>
    );
  return (
    <section className={styles.recents} aria-labelledby={titleId}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {texts.title}
      </h2>
      {chosen && <ChosenPair recents={recents} chosen={chosen} />}
      {recents.length === 0 ? (
        <p>{texts.empty}</p>
      ) : (
        <RecentList
          recents={recents}
          chosen={chosen}
          onChoose={setChosen}
          onPick={onPick}
          onRemove={({ id, name }) => {
            store.remove(id);
            setAnnouncement(fill(texts.removed, { name: isolate(name) }));
            // The pressed button goes away.
            title.current?.focus();
          }}
        />
      )}
      <RecentActions
        store={store}
        count={recents.length}
        chosen={chosen}
        onChoose={setChosen}
        onChanged={(words) => {
          setChosen(undefined);
          setAnnouncement(words);
        }}
      />
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </section>
  );
};

type RecentActionsProps = {
  readonly store: RecentsStore;
  readonly count: number;
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (chosen: readonly string[] | undefined) => void;
  readonly onChanged: (words: string) => void;
};

const RecentActions = ({ store, count, chosen, onChoose, onChanged }: RecentActionsProps): ReactNode => {
  const texts = useTexts('recents');
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <div className="row">
      {count > 1 && (
        <Button
          look={chosen ? 'primary' : 'plain'}
          aria-pressed={chosen !== undefined}
          onClick={() => onChoose(chosen ? undefined : [])}
        >
          {texts.compare}
        </Button>
      )}
      {count > 0 && (
        <Button
          onClick={() => {
            store.clear();
            onChanged(texts.cleared);
            toggle.current?.focus();
          }}
        >
          {texts.clear}
        </Button>
      )}
      <Button
        ref={toggle}
        onClick={() => {
          store.switchOff();
          onChanged(texts.switchedOff);
        }}
      >
        {texts.switchOff}
      </Button>
    </div>
  );
};

type RecentListProps = {
  readonly recents: readonly RecentLookup[];
  /** The ids to be compared; undefined if a press opens the profile. */
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (chosen: readonly string[]) => void;
  readonly onPick: (id: string) => void;
  readonly onRemove: (lookup: RecentLookup) => void;
};

const choose = (id: string, before: readonly string[]): readonly string[] =>
  before.includes(id) ? before.filter((known) => known !== id) : [...before, id].slice(-2);

const RecentList = ({ recents, chosen, onChoose, onPick, onRemove }: RecentListProps): ReactNode => {
  const { remove } = useTexts('recents');
  return (
    <ul className={styles.list}>
      {recents.map((lookup) => (
        <li key={lookup.id}>
          <RecentCard
            lookup={lookup}
            chosen={chosen?.includes(lookup.id)}
            onPress={() => (chosen ? onChoose(choose(lookup.id, chosen)) : onPick(lookup.id))}
          />
          {chosen === undefined && (
            <button
              type="button"
              className={styles.remove}
              title={fill(remove, { name: isolate(lookup.name) })}
              aria-label={fill(remove, { name: isolate(lookup.name) })}
              onClick={() => onRemove(lookup)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};
