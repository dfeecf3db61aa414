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

const notLoaded = { name: 'notLoaded' };

describe('loading the captcha', () => {
  it('goes on to the widget, which starts by itself', () => {
    expect(after(loaded)).toEqual({ attempt: 1, step: 'widget', widget: 'verifying' });
  });

  it('says when it takes too long, and still goes on when the widget comes', () => {
    expect(after(loadingTooLong)).toEqual({ attempt: 1, step: 'loading', problem: notLoaded });
    expect(after(loadingTooLong, loaded)).toEqual(after(loaded));
  });

  it('says the same when it cannot be loaded at all', () => {
    const stuck = { attempt: 1, step: 'stuck', problem: notLoaded };
    expect(after(loadingFailed)).toEqual(stuck);
    expect(after(loadingFailed, loadingTooLong)).toEqual(stuck);
  });

  it('does not say so when the widget was in time', () => {
    expect(after(loaded, loadingTooLong)).toEqual(after(loaded));
  });
});

describe('the states of the widget', () => {
  it.each(['unverified', 'verifying', 'code', 'verified'] as const)('%s is no problem', (widget) => {
    expect(after(loaded, changed('error'), changed(widget))).toEqual({ attempt: 1, step: 'widget', widget });
  });

  it.each([
    ['error', 'failed'],
    ['expired', 'expired'],
  ] as const)('%s leaves the widget and says: %s', (widget, name) => {
    expect(after(loaded, changed(widget))).toEqual({ attempt: 1, step: 'widget', widget, problem: { name } });
  });

  it('says why the server refused rather than that something failed', () => {
    const problem = { message: 'Too many requests.', retryAfterSeconds: 3 };
    expect(after(loaded, { type: 'widget-changed', widget: 'error', problem })).toMatchObject({ problem });
  });

  it('says when it was verified with nothing to show for it', () => {
    expect(after(loaded, changed('verified'), { type: 'verified-without-payload' })).toMatchObject({
      problem: { name: 'noPayload' },
    });
  });

  it('gives up on a widget that hangs, and does not listen to it any more', () => {
    const stuck = after(loaded, solvingTooLong);
    expect(stuck).toEqual({ attempt: 1, step: 'stuck', problem: { name: 'failed' } });
    expect(nextCaptchaState(stuck, changed('verifying'))).toBe(stuck);
  });
});

describe('retrying', () => {
  it.each([
    ['a late widget', [loadingTooLong]],
    ['a widget that cannot be loaded', [loadingFailed]],
    ['a widget that hangs', [loaded, solvingTooLong]],
    ['an error', [loaded, changed('error')]],
  ])('starts afresh with another widget after %s', (_, events) => {
    expect(after(...events, retried)).toEqual({ attempt: 2, step: 'loading' });
  });
});
