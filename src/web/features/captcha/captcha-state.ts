import type { Failure } from '../../ask-server.ts';

export type WidgetState = 'unverified' | 'verifying' | 'code' | 'verified' | 'error' | 'expired';

export type CaptchaProblem =
  | {
      readonly name: 'failed' | 'expired' | 'notLoaded' | 'noPayload';
      readonly retryAfterSeconds?: never;
    }
  | Pick<Failure, 'message' | 'retryAfterSeconds'>;

export type CaptchaState = { readonly attempt: number } &
  /** With a problem when it takes long; the widget may still come. */
  (
    | { readonly step: 'loading'; readonly problem?: CaptchaProblem }
    /** The widget will not come, or hangs and was taken away. */
    | { readonly step: 'stuck'; readonly problem: CaptchaProblem }
    | { readonly step: 'widget'; readonly widget: WidgetState; readonly problem?: CaptchaProblem }
  );

export type CaptchaEvent =
  | { readonly type: 'loaded' }
  | { readonly type: 'loading-too-long' }
  | { readonly type: 'loading-failed' }
  | { readonly type: 'solving-too-long' }
  | { readonly type: 'widget-changed'; readonly widget: WidgetState; readonly problem?: CaptchaProblem }
  | { readonly type: 'verified-without-payload' }
  | { readonly type: 'retried' };

export const LOAD_LIMIT_MS = 1200;
export const SOLVE_LIMIT_MS = 20_000;

const NOT_LOADED: CaptchaProblem = { name: 'notLoaded' };

export const firstAttempt: CaptchaState = { attempt: 1, step: 'loading' };

type WidgetChange = Extract<CaptchaEvent, { type: 'widget-changed' }>;

const changeWidget = (attempt: number, { widget, problem }: WidgetChange): CaptchaState => {
  if (widget === 'error') return { attempt, step: 'widget', widget, problem: problem ?? { name: 'failed' } };
  if (widget === 'expired') return { attempt, step: 'widget', widget, problem: { name: 'expired' } };
  return { attempt, step: 'widget', widget };
};

export const nextCaptchaState = (state: CaptchaState, event: CaptchaEvent): CaptchaState => {
  const { attempt, step } = state;
  switch (event.type) {
    case 'loaded':
      return { attempt, step: 'widget', widget: 'verifying' };
    case 'loading-too-long':
      return step === 'loading' ? { attempt, step, problem: NOT_LOADED } : state;
    case 'loading-failed':
      return { attempt, step: 'stuck', problem: NOT_LOADED };
    case 'solving-too-long':
      return { attempt, step: 'stuck', problem: { name: 'failed' } };
    case 'widget-changed':
      return step === 'widget' ? changeWidget(attempt, event) : state;
    case 'verified-without-payload':
      return { attempt, step: 'widget', widget: 'verified', problem: { name: 'noPayload' } };
    case 'retried':
      return { attempt: attempt + 1, step: 'loading' };
  }
};
