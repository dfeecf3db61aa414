import { parseJson } from '#shared/json.ts';
import { fieldsOf } from '../../ask-server.ts';
import type { keepStored, readStored } from '../../browser.ts';
import { RECENTS_KEY } from './recents-key.ts';

export type RecentLookup = {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly avatarUrl: string;
  /** The ids of its flags. */
  readonly badges: readonly string[];
  readonly tag: string | null;
  readonly color: string | null;
  readonly bot: boolean;
};

/** The latest first; undefined while the visitor wants none kept. */
export type Recents = readonly RecentLookup[] | undefined;

type StoreDeps = {
  readonly readStored: typeof readStored;
  readonly keepStored: typeof keepStored;
  readonly page: Pick<EventTarget, 'addEventListener'>;
};

export const RECENTS_LIMIT = 12;

const isRecent = (value: unknown): value is RecentLookup => {
  const { id, name, handle, avatarUrl, badges, tag, color, bot } = fieldsOf(value);
  return (
    typeof id === 'string' &&
    /^[1-9]\d{0,18}$/.test(id) &&
    [name, handle, avatarUrl].every((text) => typeof text === 'string') &&
    (tag === null || typeof tag === 'string') &&
    typeof bot === 'boolean' &&
    (color === null || (typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color))) &&
    Array.isArray(badges) &&
    badges.every((badge) => typeof badge === 'string' && /^[A-Z]/.test(badge))
  );
};

const parse = (text: string): readonly RecentLookup[] => {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter(isRecent).slice(0, RECENTS_LIMIT) : [];
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

  const change = (update: (recents: readonly RecentLookup[]) => readonly RecentLookup[]): void => {
    const recents = read();
    if (recents === undefined) return;
    const updated = update(recents);
    if (JSON.stringify(updated) !== JSON.stringify(recents)) write(updated);
  };

  return {
    read,
    /** With what is on the screen, in one write: another tab that hears of it adds to that, and overwrites nothing. */
    switchOn: (current: RecentLookup | undefined): void =>
      write(read() ?? (current === undefined ? [] : [current])),
    switchOff: (): void => write(undefined),
    clear: (): void => change(() => []),
    remove: (removed: string): void => change((recents) => recents.filter(({ id }) => id !== removed)),
    add: (lookup: RecentLookup): void =>
      change((recents) => [lookup, ...recents.filter(({ id }) => id !== lookup.id)]),
    subscribe: (listener: () => void): (() => void) => {
      const listening = new AbortController();
      const { signal } = listening;
      changes.addEventListener('change', listener, { signal });
      for (const event of ['storage', 'pageshow']) page.addEventListener(event, listener, { signal });
      return () => listening.abort();
    },
  };
};

export type RecentsStore = ReturnType<typeof createRecentsStore>;
