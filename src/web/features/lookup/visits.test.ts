import { describe, expect, it } from 'vitest';
import type { LookupAnswer } from './look-up.ts';
import { createVisits } from './visits.ts';

const nobody = (id: string): LookupAnswer => ({ kind: 'not-found', id, createdUtc: '' });

/** A browser's history, as far as visits see it. */
const createTab = (address = '/') => {
  const entries: { state: unknown; address: string }[] = [{ state: null, address }];
  let at = 0;
  const put = (index: number) => (state: unknown, _: string, url?: string | URL | null) => {
    entries.splice(index + at, Infinity, { state, address: String(url) });
    at += index;
  };
  return {
    history: {
      get state() {
        return entries[at]?.state;
      },
      pushState: put(1),
      replaceState: put(0),
    },
    location: {
      pathname: '/',
      get search() {
        return entries[at]?.address.slice(1) ?? '';
      },
    },
    go: (steps: number) => void (at += steps),
    addresses: () => entries.map((entry) => entry.address),
  };
};

describe('the visits of a tab', () => {
  it('makes no second place for an answer that is shown again', () => {
    const tab = createTab();
    const visits = createVisits({ ...tab, origin: 'a' });
    const answer = nobody('1');
    visits.note('1', answer);
    visits.note('1', answer);
    expect(tab.addresses()).toEqual(['/', '/?id=1']);
  });

  it('does not take the places of an earlier page for its own', () => {
    const tab = createTab();
    createVisits({ ...tab, origin: 'before' }).note('1', nobody('1'));
    const visits = createVisits({ ...tab, origin: 'after' });
    expect(visits.here()).toEqual({ id: '1', lookedUp: true, answer: undefined });
  });

  it('forgets the oldest of very many', () => {
    const tab = createTab();
    const visits = createVisits({ ...tab, origin: 'a' });
    for (let id = 1; id <= 51; id += 1) visits.note(String(id), nobody(String(id)));
    tab.go(-50);
    expect(visits.here()).toEqual({ id: '1', lookedUp: true, answer: undefined });
    tab.go(1);
    expect(visits.here().answer).toEqual(nobody('2'));
  });

  it('keeps the place of a shared id, and of one that failed at first', () => {
    const tab = createTab('/?id=1');
    const visits = createVisits({ ...tab, origin: 'a' });
    visits.note('1', nobody('1'));
    visits.note('2', undefined);
    expect(visits.here()).toEqual({ id: '2', lookedUp: true, answer: undefined });
    visits.note('2', nobody('2'));
    expect(tab.addresses()).toEqual(['/?id=1', '/?id=2']);
  });

  it('leaves what is no longer shown, but not what was to be looked up', () => {
    const tab = createTab('/?id=1');
    const visits = createVisits({ ...tab, origin: 'a' });
    visits.leave('1');
    visits.note('2', undefined);
    visits.leave('2');
    expect(tab.addresses()).toEqual(['/?id=1', '/?id=2']);
    visits.leave('3');
    visits.note('2', nobody('2'));
    visits.leave('2');
    visits.leave('2');
    expect(tab.addresses()).toEqual(['/?id=1', '/?id=2', '/', '/?id=2', '/']);
    expect(visits.here()).toEqual({ id: undefined, lookedUp: false, answer: undefined });
    tab.go(-1);
    expect(visits.here().answer).toEqual(nobody('2'));
  });
});
