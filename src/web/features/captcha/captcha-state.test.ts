import { expect, it } from 'vitest';
import { firstAttempt, nextCaptchaState, type CaptchaEvent, type CaptchaState } from './captcha-state.ts';

const changed = (widget: 'unverified' | 'verifying' | 'code' | 'verified' | 'error'): CaptchaEvent => ({
  type: 'widget-changed',
  widget,
});
const [loaded, tooLong, failed]: CaptchaEvent[] = [
  { type: 'loaded' },
  { type: 'too-long' },
  { type: 'loading-failed' },
];

const after = (...events: (CaptchaEvent | undefined)[]): CaptchaState =>
  events.reduce<CaptchaState>(
    (state, event) => (event ? nextCaptchaState(state, event) : state),
    firstAttempt,
  );

it.each(['unverified', 'verifying', 'code', 'verified'] as const)(
  '§148, 150 the state %s of the widget is no problem',
  (widget) => {
    expect(after(loaded, changed('error'), changed(widget))).toEqual({ attempt: 1, widget });
  },
);

it('a widget that hangs is given up, and not listened to any more', () => {
  const stuck = after(loaded, tooLong);
  expect(stuck).toEqual({ attempt: 1, widget: 'stuck', problem: { name: 'failed' } });
  expect(nextCaptchaState(stuck, changed('verifying'))).toBe(stuck);
});

it('a widget that is done, or that cannot be loaded at all, does not take too long', () => {
  for (const state of [after(loaded, changed('verified')), after(failed)])
    expect(nextCaptchaState(state, { type: 'too-long' })).toBe(state);
});

it.each([
  ['a late widget', [tooLong]],
  ['a widget that hangs', [loaded, tooLong]],
])('a retry starts afresh with another widget after %s', (_, events) => {
  expect(after(...events, { type: 'retried' })).toEqual({ attempt: 2, widget: 'loading' });
});
