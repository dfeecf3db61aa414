import { expect, it } from 'vitest';
import { createVisits } from './visits.ts';

it('a page remembers the last fifty answers, and a place of an earlier page has none', () => {
  const states: unknown[] = [];
  const history = { state: null as unknown, pushState: (state: unknown) => void states.push(state) };
  const deps = {
    history: { ...history, replaceState: history.pushState },
    location: { pathname: '/', search: '' },
  };
  const visits = createVisits({ ...deps, origin: 'a' });
  for (let id = 1; id <= 51; id += 1)
    visits.note(String(id), { kind: 'not-found', id: String(id), createdUtc: '' });
  const answersAt = ({ here }: typeof visits) =>
    states.map((state) => {
      deps.history.state = state;
      return here().answer?.id;
    });
  expect(answersAt(visits).slice(0, 3)).toEqual([undefined, '2', '3']);
  expect(new Set(answersAt(createVisits({ ...deps, origin: 'b' })))).toEqual(new Set([undefined]));
});
