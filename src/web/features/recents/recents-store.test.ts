import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { keepStored, readStored } from '../../browser.ts';
import { createRecentsStore, RECENTS_LIMIT, type RecentLookup } from './recents-store.ts';

const lookup = (id: string, name = 'Somebody'): RecentLookup => ({
  id,
  name,
  avatarUrl: 'https://cdn.example/a.png',
});

const storeWith = (stored?: string) => {
  let text = stored;
  const keepStored = (_: string, value?: string) => void (text = value);
  return createRecentsStore({ readStored: () => text, keepStored, page: new EventTarget() });
};

it('recent lookups have the latest first, each once, as it was seen last, and only so many', () => {
  const store = storeWith('[]');
  for (let id = 1; id <= RECENTS_LIMIT + 3; id += 1) store.add(lookup(String(id)));
  store.add(lookup('10', 'Renamed'));
  expect(store.read()?.[0]).toEqual(lookup('10', 'Renamed'));
  expect(
    store
      .read()
      ?.map(({ id }) => id)
      .join(),
  ).toBe('10,15,14,13,12,11,9,8,7,6,5,4');
});

it('recent lookups come through whatever stands in the storage', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const store = storeWith(text);
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
