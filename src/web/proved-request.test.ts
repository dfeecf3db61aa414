import { describe, expect, it } from 'vitest';
import type { Failure } from './ask-server.ts';
import { nextRequestState, problemOf, type RequestEvent, type RequestState } from './proved-request.ts';

type Answer = { readonly kind: 'found' };
type State = RequestState<Answer>;
type Event = RequestEvent<Answer>;

const found: Answer = { kind: 'found' };
const failure = (cause: Failure['cause'], reaction: Failure['reaction']): Failure => ({
  kind: 'failed',
  message: `${cause}.`,
  reaction,
  cause,
});
const busy = failure('pool-busy', 'try-later');
const used = failure('proof-used', 'solve-again');
const malformed = failure('id-malformed', 'fix-input');

const submit = (input: string): Event => ({ type: 'submitted', input });
const prove: Event = { type: 'proved', proof: 'p' };
const answer = (of: Answer | Failure): Event => ({ type: 'answered', answer: of });
const cancel: Event = { type: 'cancelled' };
const abandon: Event = { type: 'abandoned' };
const edit: Event = { type: 'edited' };
const empty: Event = { type: 'invalid', cause: 'id-missing', message: 'Enter one.' };
const ask = (linked: boolean): Event => ({ type: 'asked', input: '42', linked });
const drop: Event = { type: 'dropped' };
const goTo = (input: string, known?: Answer): Event => ({ type: 'revisited', input, answer: known });

const after = (...events: readonly Event[]): State =>
  events.reduce<State>(nextRequestState, { step: 'rest' });
const sent = [submit('42'), prove];

describe('the states and transitions of a lookup', () => {
  it.each<[string, Event[], State]>([
    ['1. an ID that is submitted is proved', [submit('42')], { step: 'proving', input: '42', again: false }],
    ['2. with its proof it is sent', sent, { step: 'sending', input: '42', again: false, proof: 'p' }],
    [
      '3. a profile, or that there is none, is shown',
      [...sent, answer(found)],
      { step: 'answered', answer: found, proof: 'p' },
    ],
    [
      '3. any other failure is shown',
      [...sent, answer(busy)],
      { step: 'refused', input: '42', failure: busy, proof: 'p' },
    ],
    ['4. a new lookup clears the answer', [...sent, answer(found), submit('43')], after(submit('43'))],
    ['4. a new lookup clears the failure', [...sent, answer(busy), submit('43')], after(submit('43'))],
    ['closing the captcha ends it', [submit('42'), cancel], { step: 'cancelled', input: '42' }],
    ['it can be left while the server is asked', [...sent, abandon], { step: 'cancelled', input: '42' }],
    [
      'what was cleared does not come back',
      [...sent, answer(found), submit('43'), cancel],
      { step: 'cancelled', input: '43' },
    ],
    ['typing ends what a cancelled one says', [submit('42'), cancel, edit], { step: 'rest' }],
    [
      'a proof that is refused is made again',
      [...sent, answer(used)],
      { step: 'proving', input: '42', again: true },
    ],
    [
      'but only once',
      [...sent, answer(used), prove, answer(used)],
      { step: 'refused', input: '42', failure: used, proof: 'p' },
    ],
    [
      'what the server calls wrong is taken back by typing',
      [...sent, answer(malformed), edit],
      { step: 'rest' },
    ],
    ['another failure is not', [...sent, answer(busy), edit], after(...sent, answer(busy))],
    ['one that waits for its code can be submitted', [ask(false), submit('42')], after(submit('42'))],
    ['typing does not end it', [ask(false), edit], { step: 'starting', input: '42', linked: false }],
    ['typing ends what a link asks for', [ask(true), edit, drop], { step: 'rest' }],
    ['what cannot begin is dropped', [ask(true), drop], { step: 'rest' }],
    ['it may wait for a press', [ask(true), { ...drop, invited: true }], { step: 'rest', invited: true }],
    [
      'going back shows the answer of the place',
      [...sent, goTo('41', found)],
      { step: 'answered', answer: found },
    ],
    ['or asks for it', [...sent, goTo('41')], { step: 'starting', input: '41', linked: true }],
    ['or shows nothing', [...sent, answer(found), goTo('')], { step: 'rest' }],
  ])('%s', (_, events, state) => expect(after(...events)).toEqual(state));
});

it.each<[string, Event[], Event[]]>([
  ['at rest', [], [prove, answer(found), cancel, abandon, drop]],
  ['while it is proved', [submit('42')], [submit('43'), ask(false), empty, edit, drop, answer(found)]],
  ['while it is sent', sent, [submit('43'), ask(false), empty, edit, drop, prove, cancel]],
  ['after a failure', [...sent, answer(busy)], [prove, answer(found), cancel, abandon, drop]],
  ['after it was cancelled', [submit('42'), cancel], [prove, answer(found), cancel, abandon, drop]],
])('an event that does not fit changes nothing %s', (_, events, unfit) => {
  const state = after(...events);
  for (const event of unfit) expect(nextRequestState(state, event), event.type).toBe(state);
});

it('what is wrong with an input is said beside what is shown, until it is edited or replaced', () => {
  const answered = after(...sent, answer(found), empty);
  expect(answered).toMatchObject({ step: 'answered', answer: found });
  expect(problemOf(answered)?.message).toBe('Enter one.');
  for (const next of [edit, submit('43')])
    expect(problemOf(nextRequestState(answered, next))).toBeUndefined();
  expect(problemOf(after(...sent, answer(malformed)))).toBe(malformed);
  expect(problemOf(after(...sent, answer(busy)))).toBeUndefined();
});

it('nothing of the input is kept once it was accepted: it may be a secret', () => {
  expect(JSON.stringify(after(submit('secret'), prove, answer(found)))).not.toContain('secret');
});
