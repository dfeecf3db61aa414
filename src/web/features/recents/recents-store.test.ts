import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

/** Two tabs of one browser: what one writes, the other hears of. */
const browserWith = (text?: string) => {
  const kept = new Map<string, string>(text === undefined ? [] : [[RECENTS_KEY, text]]);
  const windows = [new EventTarget(), new EventTarget()];
  const tab = (own: number) => {
    const tellOthers = (): void => {
      for (const [place, window] of windows.entries())
        if (place !== own) window.dispatchEvent(new Event('storage'));
    };
    return createRecentsStore({
      readStored: (key) => kept.get(key),
      keepStored: (key, value) => {
        if (value === undefined) return void kept.delete(key);
        kept.set(key, value);
        tellOthers();
      },
      page: windows[own] as EventTarget,
    });
  };
  return { kept, tabs: [tab(0), tab(1)] as const };
};

const idsOf = (recents: readonly RecentLookup[] | undefined) => recents?.map(({ id }) => id);

describe('recent lookups', () => {
  it('are not written while they are switched off', () => {
    const { kept, tabs } = browserWith();
    tabs[0].add(lookup('1'));
    tabs[0].remove('1');
    tabs[0].clear();
    expect([tabs[0].read(), kept.size]).toEqual([undefined, 0]);
  });

  it('have the latest first, each once, as it was seen last, and only so many', () => {
    const [tab] = browserWith('[]').tabs;
    for (let id = 1; id <= RECENTS_LIMIT + 3; id += 1) tab.add(lookup(String(id)));
    tab.add(lookup('10', 'Renamed'));
    expect(tab.read()?.[0]).toEqual(lookup('10', 'Renamed'));
    expect(idsOf(tab.read())).toEqual(['10', '15', '14', '13', '12', '11', '9', '8', '7', '6', '5', '4']);
  });

  it('begin with what every tab shows, also if one hears late of another', () => {
    const { tabs } = browserWith();
    tabs[1].subscribe(() => tabs[1].add(lookup('2')));
    tabs[0].switchOn(lookup('1'));
    expect(idsOf(tabs[0].read())).toEqual(['2', '1']);
  });

  it('come through whatever stands in the storage', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const [tab] = browserWith(text).tabs;
        expect(Array.isArray(tab.read())).toBe(true);
        tab.add(lookup('5'));
        expect(tab.read()?.[0]).toEqual(lookup('5'));
      }),
    );
  });

  it('are not lost when the storage is full', () => {
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.stubGlobal('localStorage', {
      getItem: () => JSON.stringify([lookup('1')]),
      setItem: () => {
        throw new DOMException('no room', 'QuotaExceededError');
      },
    });
    const full = createRecentsStore({ readStored, keepStored, page: new EventTarget() });
    full.add(lookup('2'));
    expect(idsOf(full.read())).toEqual(['1']);
  });
});
