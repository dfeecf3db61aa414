import { expect, it } from 'vitest';
import {
  firstAttempt,
  nextCaptchaState,
  type CaptchaEvent,
  type CaptchaState,
  type WidgetState,
} from './captcha-state.ts';

const loaded: CaptchaEvent = { type: 'loaded' };
const loadingTooLong: CaptchaEvent = { type: 'loading-too-long' };
const loadingFailed: CaptchaEvent = { type: 'loading-failed' };
const solvingTooLong: CaptchaEvent = { type: 'solving-too-long' };
const changed = (widget: WidgetState): CaptchaEvent => ({ type: 'widget-changed', widget });

const after = (...events: CaptchaEvent[]): CaptchaState => events.reduce(nextCaptchaState, firstAttempt);

it('a widget that was in time, or cannot be loaded at all, does not take too long', () => {
  expect(after(loaded, loadingTooLong)).toEqual(after(loaded));
  expect(after(loadingFailed, loadingTooLong)).toEqual(after(loadingFailed));
});

it.each(['unverified', 'verifying', 'code', 'verified'] as const)(
  '§148, 150 the state %s of the widget is no problem',
  (widget) => {
    expect(after(loaded, changed('error'), changed(widget))).toEqual({ attempt: 1, step: 'widget', widget });
  },
);

it('a widget that hangs is given up, and not listened to any more', () => {
  const stuck = after(loaded, solvingTooLong);
  expect(stuck).toEqual({ attempt: 1, step: 'stuck', problem: { name: 'failed' } });
  expect(nextCaptchaState(stuck, changed('verifying'))).toBe(stuck);
});

it.each([
  ['a late widget', [loadingTooLong]],
  ['a widget that hangs', [loaded, solvingTooLong]],
])('a retry starts afresh with another widget after %s', (_, events) => {
  expect(after(...events, { type: 'retried' })).toEqual({ attempt: 2, step: 'loading' });
});
