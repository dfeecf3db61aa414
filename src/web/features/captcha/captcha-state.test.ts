import { describe, expect, it } from 'vitest';
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
const retried: CaptchaEvent = { type: 'retried' };
const changed = (widget: WidgetState): CaptchaEvent => ({ type: 'widget-changed', widget });

const after = (...events: CaptchaEvent[]): CaptchaState => events.reduce(nextCaptchaState, firstAttempt);

it('loading does not take too long when the widget was in time, or cannot be loaded at all', () => {
  expect(after(loaded, loadingTooLong)).toEqual(after(loaded));
  expect(after(loadingFailed, loadingTooLong)).toEqual(after(loadingFailed));
});

describe('the states of the widget', () => {
  it.each(['unverified', 'verifying', 'code', 'verified'] as const)(
    '§148, 150 %s is no problem',
    (widget) => {
      expect(after(loaded, changed('error'), changed(widget))).toEqual({
        attempt: 1,
        step: 'widget',
        widget,
      });
    },
  );

  it('gives up on a widget that hangs, and does not listen to it any more', () => {
    const stuck = after(loaded, solvingTooLong);
    expect(stuck).toEqual({ attempt: 1, step: 'stuck', problem: { name: 'failed' } });
    expect(nextCaptchaState(stuck, changed('verifying'))).toBe(stuck);
  });
});

it.each([
  ['a late widget', [loadingTooLong]],
  ['a widget that cannot be loaded', [loadingFailed]],
  ['a widget that hangs', [loaded, solvingTooLong]],
  ['an error', [loaded, changed('error')]],
])('a retry starts afresh with another widget after %s', (_, events) => {
  expect(after(...events, retried)).toEqual({ attempt: 2, step: 'loading' });
});
