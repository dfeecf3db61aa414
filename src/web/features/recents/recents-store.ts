import { parseJson } from '#shared/json.ts';
import { fieldsOf } from '../../ask-server.ts';
import type { keepStored, readStored } from '../../browser.ts';
import { RECENTS_KEY } from './recents-key.ts';

export type RecentLookup = { readonly id: string; readonly name: string; readonly avatarUrl: string };

/** The latest first; undefined while the visitor wants none kept. */
type Recents = readonly RecentLookup[] | undefined;

type StoreDeps = {
  readonly readStored: typeof readStored;
  readonly keepStored: typeof keepStored;
  readonly page: Pick<EventTarget, 'addEventListener'>;
};

export const RECENTS_LIMIT = 12;

const readRecent = (value: unknown): RecentLookup[] => {
  const { id, name, avatarUrl } = fieldsOf(value);
  const known = typeof id === 'string' && /^[1-9]\d{0,18}$/.test(id);
  return known && typeof name === 'string' && typeof avatarUrl === 'string' ? [{ id, name, avatarUrl }] : [];
};

const parse = (text: string): readonly RecentLookup[] => {
  const value = parseJson(text);
  return Array.isArray(value) ? value.flatMap(readRecent).slice(0, RECENTS_LIMIT) : [];
};

/** Keeps recent lookups in this browser and nowhere else, in step with its other tabs. */
export const createRecentsStore = ({ readStored, keepStored, page }: StoreDeps) => {
  const changes = new EventTarget();
  let known: { readonly text?: string | undefined; readonly recents?: Recents } = {};

  /** From the storage each time: another tab may have written, or switched it off. */
  const read = (): Recents => {
    const text = readStored(RECENTS_KEY);
    if (text !== known.text) known = { text, recents: text === undefined ? undefined : parse(text) };
    return known.recents;
  };

  const write = (recents: Recents): void => {
    keepStored(RECENTS_KEY, recents && JSON.stringify(recents.slice(0, RECENTS_LIMIT)));
    changes.dispatchEvent(new Event('change'));
  };

  const without = (id: string): readonly RecentLookup[] =>
    (read() ?? []).filter((recent) => recent.id !== id);

  return {
    read,
    /** With what is on the screen, in one write: another tab that hears of it adds to that, and overwrites nothing. */
    switchOn: (current: RecentLookup | undefined): void => write(read() ?? (current ? [current] : [])),
    switchOff: (): void => write(undefined),
    clear: (): void => write(read() && []),
    remove: (id: string): void => write(read() && without(id)),
    add: (lookup: RecentLookup): void => {
      const [latest] = read() ?? [lookup];
      if (JSON.stringify(latest) !== JSON.stringify(lookup)) write([lookup, ...without(lookup.id)]);
    },
    subscribe: (listener: () => void): (() => void) => {
      const listening = new AbortController();
      const { signal } = listening;
      changes.addEventListener('change', listener, { signal });
      for (const event of ['storage', 'pageshow']) page.addEventListener(event, listener, { signal });
      return () => listening.abort();
    },
  };
};
