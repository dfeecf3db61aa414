import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useEnvironment, useWindowEvent } from '../../environment.ts';
import { askChallenge, type AskedChallenge } from './ask-challenge.ts';
import { firstAttempt, LOAD_LIMIT_MS, nextCaptchaState, SOLVE_LIMIT_MS } from './captcha-state.ts';
import { altchaAtHand, loadAltcha } from './load-altcha.ts';
import { pageProofAhead, type ProofAhead } from './proof-ahead.ts';
import { pageSolver } from './solver.ts';

/** A captcha that is solved by then is not painted: it would only flash. */
const PAINT_AFTER_MS = 250;
const PAINTED_MS = 400;

const usePaintedMs = (atOnce: boolean): number | undefined => {
  const { after } = useEnvironment().browser;
  const [paintedMs, setPaintedMs] = useState<number>();
  useLayoutEffect(() => {
    const paint = (): void => setPaintedMs((known) => known ?? performance.now());
    return atOnce ? paint() : after(PAINT_AFTER_MS, paint);
  }, [atOnce, after]);
  return paintedMs;
};

type Challenging = {
  readonly attempt: number;
  readonly ask: () => AskedChallenge;
  /** It is solved without the widget, unless that is there in time and takes it over. */
  readonly alone: boolean;
  readonly onProof: (proof: string) => void;
};

const useChallenge = ({ attempt, ask, alone, onProof }: Challenging) => {
  const held = useRef<AskedChallenge>(undefined);
  const [needsWidget, setNeedsWidget] = useState(!alone);
  const start = useEffectEvent(ask);
  const proved = useEffectEvent(onProof);
  // Not in a layout effect: a proof that is begun in one of the page is the one to take.
  useEffect(() => {
    if (!alone) return undefined;
    const asked = start();
    held.current = asked;
    const prove = async (): Promise<void> => {
      const proof = await asked.answer.then((answer) => answer.prove()).catch(() => undefined);
      if (held.current !== asked) return;
      // At once: what is to be sent must not wait for a frame that is being painted.
      flushSync(() => (proof === undefined ? setNeedsWidget(true) : proved(proof)));
    };
    void prove();
    return () => {
      held.current?.end();
      held.current = undefined;
    };
  }, [attempt, alone]);
  return {
    needsWidget,
    take: (): AskedChallenge => {
      const asked = held.current;
      held.current = undefined;
      return asked ?? ask();
    },
  };
};

type CaptchaParts = {
  readonly ahead: ProofAhead | undefined;
  readonly unasked: boolean;
  readonly onProof: (proof: string) => void;
};

export const useCaptcha = ({ ahead, unasked, onProof }: CaptchaParts) => {
  const { browser, site } = useEnvironment();
  const { after, fetch } = browser;
  const [state, dispatch] = useReducer(nextCaptchaState, firstAttempt, (first) =>
    altchaAtHand() ? nextCaptchaState(first, { type: 'loaded' }) : first,
  );
  const [proof, setProof] = useState<string>();
  const { attempt, problem } = state;
  const paintedMs = usePaintedMs(site.captchaDialog === 'always' || problem !== undefined);
  const ask = (): AskedChallenge => ahead?.take() ?? askChallenge({ fetch, solver: pageSolver() });
  const { needsWidget, take } = useChallenge({ attempt, ask, alone: unasked, onProof: setProof });
  const wanted = paintedMs !== undefined || needsWidget;

  const loading = state.step === 'loading';
  useEffect(
    () => (loading ? after(LOAD_LIMIT_MS, () => dispatch({ type: 'loading-too-long' })) : undefined),
    [attempt, loading, after],
  );
  useEffect(() => {
    if (!loading || !wanted) return undefined;
    let current = true;
    const loadWidget = async (): Promise<void> => {
      try {
        await loadAltcha();
        if (current) dispatch({ type: 'loaded' });
      } catch {
        if (current) dispatch({ type: 'loading-failed' });
      }
    };
    void loadWidget();
    return () => {
      current = false;
    };
  }, [attempt, loading, wanted]);

  const solving = state.step === 'widget' && state.widget === 'verifying';
  useEffect(
    () => (solving ? after(SOLVE_LIMIT_MS, () => dispatch({ type: 'solving-too-long' })) : undefined),
    [attempt, solving, after],
  );

  // Out of the back/forward cache comes a challenge that may have expired while the clocks stood still.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) dispatch({ type: 'retried' });
  });

  const finish = useEffectEvent(onProof);
  useLayoutEffect(() => {
    if (proof === undefined) return undefined;
    if (paintedMs === undefined) return finish(proof);
    const leftMs = Math.max(0, paintedMs + PAINTED_MS - performance.now());
    return after(leftMs, () => finish(proof));
  }, [proof, paintedMs, after]);

  return {
    state,
    dispatch,
    painted: paintedMs !== undefined,
    AltchaWidget: wanted && state.step === 'widget' ? altchaAtHand() : undefined,
    take,
    setProof,
  };
};

export const useProofAhead = (id: string | undefined, soon: boolean): ProofAhead => {
  const { browser } = useEnvironment();
  const ahead = pageProofAhead(browser);
  // Before a captcha that is there at the same time can ask: it would ask for another challenge.
  useLayoutEffect(() => {
    if (!soon || browser.savesData()) return;
    if (id === undefined) ahead.prepare();
    else ahead.start();
  }, [id, soon, ahead, browser]);
  useEffect(() => ahead.drop, [ahead]);
  return ahead;
};
