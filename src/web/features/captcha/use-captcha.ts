import { useEffect, useState } from 'react';
import type { Browser } from '../../browser.ts';

const LOAD_LIMIT_MS = 1200;
const SOLVE_LIMIT_MS = 20_000;
const LOAD_TOO_LONG = 'captcha widget took too long to load. Check your connection and retry.';
const FAILED = 'Verification failed. Please try again.';
const NO_PAYLOAD = 'Verification did not return a token. Please retry.';

export type CaptchaState =
  | { readonly step: 'loading' }
  | { readonly step: 'solving' }
  | { readonly step: 'failed'; readonly message: string };

type CaptchaDeps = {
  readonly load: () => Promise<void>;
  readonly after: Browser['after'];
  readonly onProof: (proof: string) => void;
};

type Captcha = {
  readonly state: CaptchaState;
  readonly verified: (payload: string | undefined) => void;
  readonly failed: (message: string | undefined) => void;
  readonly retry: () => void;
};

/** One captcha from loading the widget to its proof. A widget that loads late still takes over from the message that it is late. */
export const useCaptcha = ({ load, after, onProof }: CaptchaDeps): Captcha => {
  const [attempt, setAttempt] = useState(1);
  const [state, setState] = useState<CaptchaState>({ step: 'loading' });
  const failed = (message = FAILED): void => setState({ step: 'failed', message });

  useEffect(() => {
    let current = true;
    const late = (): void => setState({ step: 'failed', message: LOAD_TOO_LONG });
    const cancelTimer = after(LOAD_LIMIT_MS, late);
    const settle = (next: () => void) => (): void => {
      cancelTimer();
      if (current) next();
    };
    load().then(
      settle(() => setState({ step: 'solving' })),
      settle(late),
    );
    return () => {
      current = false;
      cancelTimer();
    };
  }, [attempt, load, after]);

  useEffect(() => {
    if (state.step !== 'solving') return undefined;
    return after(SOLVE_LIMIT_MS, () => setState({ step: 'failed', message: FAILED }));
  }, [state, after]);

  return {
    state,
    failed,
    verified: (payload) => (payload ? onProof(payload) : failed(NO_PAYLOAD)),
    retry: () => {
      setState({ step: 'loading' });
      setAttempt((previous) => previous + 1);
    },
  };
};
