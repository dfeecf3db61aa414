import { expect, it } from 'vitest';
import type { Failure } from './ask-server.ts';
import { nextRequestState, secondsLeft, type RequestEvent, type RequestState } from './proved-request.ts';

type Answer = { readonly kind: 'accepted' };
type State = RequestState<Answer>;
type Event = RequestEvent<Answer>;

const submitted = (input: string): Event => ({ type: 'submitted', input });
const solved: Event = { type: 'solved', proof: 'p' };
const cancelled: Event = { type: 'cancelled' };
const abandoned: Event = { type: 'abandoned' };
const answered = (answer: Answer | Failure): Event => ({ type: 'answered', answer });
const accepted: Answer = { kind: 'accepted' };
const proofUsed: Failure = { kind: 'failed', message: 'Used.', reaction: 'solve-again', cause: 'proof-used' };
const busy: Failure = { kind: 'failed', message: 'Busy.', reaction: 'try-later', cause: 'pool-busy' };
const refused: Event = { type: 'refused', cause: 'id-zero', message: 'Zero.' };

const idle: State = { step: 'idle' };
const calledOff: State = { step: 'idle', cancelled: true };
const first = { retried: false };
const after = (...events: Event[]): State => events.reduce<State>(nextRequestState, idle);

it('a request goes from the form over the captcha and the server to the answer, and forgets what was accepted', () => {
  expect(after(submitted('42'))).toEqual({ step: 'solving', input: '42', ...first });
  expect(after(submitted('42'), solved)).toEqual({ step: 'sending', input: '42', proof: 'p', ...first });
  expect(after(submitted('42'), solved, answered(accepted))).toEqual({
    step: 'answered',
    input: '',
    answer: accepted,
  });
});

it('no second press is taken while the captcha is not solved', () => {
  for (const event of [submitted('1'), submitted('2'), refused])
    expect(after(submitted('1'), event)).toEqual(after(submitted('1')));
});

it.each([
  ['cancelled at the captcha', [cancelled]],
  ['abandoned at the captcha', [abandoned]],
  ['abandoned while the server is asked', [solved, abandoned]],
  ['abandoned at its silent retry', [solved, answered(proofUsed), abandoned]],
])('a request stays without an answer when it is %s: what it cleared does not come back', (_, end) => {
  for (const answer of [accepted, busy])
    expect(after(submitted('1'), solved, answered(answer), submitted('2'), ...end)).toEqual(calledOff);
});

it('a proof that the server refuses is solved again once, then told of', () => {
  const retried = [submitted('1'), solved, answered(proofUsed)];
  expect(after(...retried)).toEqual({ step: 'solving', input: '1', retried: true });
  expect(after(...retried, solved, answered(proofUsed))).toEqual({
    step: 'answered',
    input: '1',
    answer: proofUsed,
  });
});

it('what is wrong with the input, and that it was cancelled, is taken back when the input is edited', () => {
  const edited: Event = { type: 'edited' };
  expect(after(refused, edited)).toEqual(idle);
  expect(after(submitted('1'), cancelled, edited)).toEqual(idle);
  const failed = [submitted('1'), solved, answered(busy)];
  expect(after(...failed, edited)).toEqual(after(...failed));
});

it('events that come too late or too early are ignored', () => {
  expect(after(solved)).toEqual(idle);
  expect(after(answered(accepted))).toEqual(idle);
  expect(after(abandoned)).toEqual(idle);
  expect(after(submitted('1'), cancelled, solved)).toEqual(calledOff);
  expect(after(submitted('1'), answered(accepted))).toMatchObject({ step: 'solving' });
  const sending = [submitted('1'), solved];
  for (const event of [cancelled, solved, submitted('2'), refused])
    expect(after(...sending, event)).toEqual(after(...sending));
  const done = [...sending, answered(busy)];
  for (const event of [cancelled, abandoned, solved, answered(accepted)])
    expect(after(...done, event)).toEqual(after(...done));
});

it.each([
  ['a second later', 39_000, 39],
  ['late, because the page was hidden', 10_000, 10],
  ['after the end', -5_000, 0],
  ['after a clock was set back', 3_600_000, 39],
])('of a wait of 40 seconds, counted %s, %i ms before its end, %i are left', (_, untilEndMs, left) => {
  expect(secondsLeft(40, 1_000_000 + untilEndMs, 1_000_000)).toBe(left);
});
