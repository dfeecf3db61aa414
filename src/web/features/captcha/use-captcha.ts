import { useEffect, useReducer, useState } from 'react';
import { useEnvironment } from '../../environment.ts';
import { firstAttempt, LOAD_LIMIT_MS, nextCaptchaState, SOLVE_LIMIT_MS } from './captcha-state.ts';
import { loadAltcha, type AltchaWidget } from './load-altcha.ts';

/** One captcha, from loading the widget on. */
export const useCaptcha = () => {
  const { after } = useEnvironment().browser;
  const [state, dispatch] = useReducer(nextCaptchaState, firstAttempt);
  const [AltchaWidget, setWidget] = useState<AltchaWidget>();
  const { attempt } = state;

  useEffect(() => {
    let current = true;
    const cancelTimer = after(LOAD_LIMIT_MS, () => dispatch({ type: 'loading-too-long' }));
    const loadWidget = async (): Promise<void> => {
      try {
        const loaded = await loadAltcha();
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
  }, [attempt, after]);

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

  return { state, dispatch, AltchaWidget };
};
