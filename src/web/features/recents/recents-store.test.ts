import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { keepStored, readStored } from '../../browser.ts';
import { RECENTS_KEY } from './recents-key.ts';
import { createRecentsStore, RECENTS_LIMIT, type RecentLookup } from './recents-store.ts';

const lookup = (id: string, name = 'Somebody'): RecentLookup => ({
  id,
  name,
  handle: 'somebody',
  avatarUrl: 'https://cdn.example/a.png',
  badges: ['Active Developer'],
  tag: null,
  color: '#7289da',
  bot: false,
});

const storeWith = (text?: string) => {
  const kept = new Map(text === undefined ? [] : [[RECENTS_KEY, text]]);
  const store = createRecentsStore({
    readStored: (key) => kept.get(key),
    keepStored: (key, value) => void kept.set(key, value ?? ''),
    page: new EventTarget(),
  });
  return { kept, store, ids: () => store.read()?.map(({ id }) => id) };
};

it('recent lookups are not written while they are switched off', () => {
  const { kept, store } = storeWith();
  store.add(lookup('1'));
  store.remove('1');
  store.clear();
  expect([store.read(), kept.size]).toEqual([undefined, 0]);
});

it('recent lookups have the latest first, each once, as it was seen last, and only so many', () => {
  const { store, ids } = storeWith('[]');
  for (let id = 1; id <= RECENTS_LIMIT + 3; id += 1) store.add(lookup(String(id)));
  store.add(lookup('10', 'Renamed'));
  expect(store.read()?.[0]).toEqual(lookup('10', 'Renamed'));
  expect(ids()).toEqual(['10', '15', '14', '13', '12', '11', '9', '8', '7', '6', '5', '4']);
});

it('recent lookups come through whatever stands in the storage', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { store } = storeWith(text);
      expect(Array.isArray(store.read())).toBe(true);
      store.add(lookup('5'));
      expect(store.read()?.[0]).toEqual(lookup('5'));
    }),
  );
});

it('recent lookups are not lost when the storage is full', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const setItem = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify([lookup('1')]), setItem });
  const full = createRecentsStore({ readStored, keepStored, page: new EventTarget() });
  full.add(lookup('2'));
  expect(full.read()).toEqual([lookup('1')]);
});
