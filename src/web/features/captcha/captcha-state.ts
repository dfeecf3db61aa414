import type { Failure } from '../../ask-server.ts';

export type WidgetState = 'unverified' | 'verifying' | 'code' | 'verified' | 'error' | 'expired';

export type CaptchaProblem =
  | {
      readonly name: 'failed' | 'expired' | 'notLoaded' | 'noPayload';
      readonly retryAfterSeconds?: never;
    }
  | Pick<Failure, 'message' | 'retryAfterSeconds'>;

export type CaptchaState = {
  readonly attempt: number;
  /** `loading`: it may still come, even after that took too long. `stuck`: it will not, or it hangs. */
  readonly widget: WidgetState | 'loading' | 'stuck';
  readonly problem?: CaptchaProblem;
};

export type CaptchaEvent =
  | { readonly type: 'loaded' }
  | { readonly type: 'loading-failed' }
  | { readonly type: 'too-long' }
  | { readonly type: 'widget-changed'; readonly widget: WidgetState; readonly problem?: CaptchaProblem }
  | { readonly type: 'verified-without-payload' }
  | { readonly type: 'retried' };

/** How long it may stay in a state. */
export const LIMITS_MS: Readonly<Partial<Record<CaptchaState['widget'], number>>> = {
  loading: 1_200,
  verifying: 20_000,
};

export const firstAttempt: CaptchaState = { attempt: 1, widget: 'loading' };

export const isWidget = ({ widget }: CaptchaState): boolean => widget !== 'loading' && widget !== 'stuck';

type WidgetChange = Extract<CaptchaEvent, { readonly type: 'widget-changed' }>;

const changeWidget = (
  attempt: number,
  { widget, problem = { name: 'failed' } }: WidgetChange,
): CaptchaState => {
  if (widget === 'error') return { attempt, widget, problem };
  return { attempt, widget, ...(widget === 'expired' && { problem: { name: 'expired' } }) };
};

export const nextCaptchaState = (state: CaptchaState, event: CaptchaEvent): CaptchaState => {
  const { attempt } = state;
  switch (event.type) {
    case 'loaded':
      return { attempt, widget: 'verifying' };
    case 'loading-failed':
      return { attempt, widget: 'stuck', problem: { name: 'notLoaded' } };
    case 'too-long':
      if (state.widget === 'loading') return { ...state, problem: { name: 'notLoaded' } };
      return state.widget === 'verifying' ? { attempt, widget: 'stuck', problem: { name: 'failed' } } : state;
    case 'widget-changed':
      return isWidget(state) ? changeWidget(attempt, event) : state;
    case 'verified-without-payload':
      return { attempt, widget: 'verified', problem: { name: 'noPayload' } };
    case 'retried':
      return { attempt: attempt + 1, widget: 'loading' };
  }
};
