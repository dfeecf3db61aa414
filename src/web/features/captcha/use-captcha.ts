import { useEffect, useReducer, useState, type ActionDispatch } from 'react';
import type { Browser } from '../../environment.ts';
import {
  firstAttempt,
  LOAD_LIMIT_MS,
  nextCaptchaState,
  SOLVE_LIMIT_MS,
  type CaptchaEvent,
  type CaptchaState,
} from './captcha-state.ts';

type CaptchaDeps<Widget> = {
  readonly load: () => Promise<Widget>;
  readonly after: Browser['after'];
};

/** One captcha, from loading the widget on. The widget is there from when it is loaded. */
export const useCaptcha = <Widget>({
  load,
  after,
}: CaptchaDeps<Widget>): [CaptchaState, ActionDispatch<[CaptchaEvent]>, Widget | undefined] => {
  const [state, dispatch] = useReducer(nextCaptchaState, firstAttempt);
  const [widget, setWidget] = useState<Widget>();
  const { attempt } = state;

  useEffect(() => {
    let current = true;
    const cancelTimer = after(LOAD_LIMIT_MS, () => dispatch({ type: 'loading-too-long' }));
    const loadWidget = async (): Promise<void> => {
      try {
        const loaded = await load();
        if (!current) return;
        setWidget(() => loaded);
        dispatch({ type: 'loaded' });
      } catch {
        if (current) dispatch({ type: 'loading-failed' });
      }
    };
    void loadWidget();
    return () => {
      current = false;
      cancelTimer();
    };
  }, [attempt, load, after]);

  const solving = state.step === 'widget' && state.widget === 'verifying';
  useEffect(
    () => (solving ? after(SOLVE_LIMIT_MS, () => dispatch({ type: 'solving-too-long' })) : undefined),
    [attempt, solving, after],
  );

  useEffect(() => {
    // Out of the back/forward cache comes a challenge that may have expired while the clocks stood still.
    const restart = (event: PageTransitionEvent): void => {
      if (event.persisted) dispatch({ type: 'retried' });
    };
    window.addEventListener('pageshow', restart);
    return () => window.removeEventListener('pageshow', restart);
  }, []);

  return [state, dispatch, widget];
};
