import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import type { ProvedRequest, RequestEvent } from '../../proved-request.ts';
import type { Texts } from '../../texts/translation.ts';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { useWait } from '../../ui/use-wait.ts';
import { Dialog, onFirstClick, useSettled } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { moveOn } from '../../view-transition.ts';
import styles from './captcha-dialog.module.css';
import {
  firstAttempt,
  LOAD_LIMIT_MS,
  nextCaptchaState,
  SOLVE_LIMIT_MS,
  type CaptchaState,
} from './captcha-state.ts';
import { askChallenge } from './ask-challenge.ts';
import type { ProofAhead } from './proof-ahead.ts';
import { altchaAtHand, loadAltcha } from './load-altcha.ts';
import { pageSolver } from './solver.ts';

type CaptchaDialogProps<Answer> = {
  readonly title: string;
  /** The dialog is open while this waits for a proof. */
  readonly request: ProvedRequest<Answer>;
  /** A proof that may be ready by now. */
  readonly ahead?: ProofAhead;
  /** Called with how much is solved, from 0 to 1, even while the dialog is still invisible. */
  readonly onProgress?: (share: number) => void;
};

export const CaptchaDialog = <Answer,>({ request, ...rest }: CaptchaDialogProps<Answer>): ReactNode =>
  request.state.step === 'solving' && <OpenCaptcha {...rest} tell={request.dispatch} />;

/** What a screen reader hears. The widget shows the same, but announces nothing. */
const statusOf = (state: CaptchaState, texts: Texts['captcha']): string => {
  if (state.step === 'loading') return texts.loading;
  if (state.step === 'stuck') return '';
  return state.widget === 'verifying' ? texts.verifying : '';
};

/** One captcha, from loading the widget on. */
const useCaptcha = () => {
  const { after } = useEnvironment().browser;
  const [AltchaWidget, setWidget] = useState(altchaAtHand);
  const [state, dispatch] = useReducer(nextCaptchaState, firstAttempt, (first) =>
    AltchaWidget ? nextCaptchaState(first, { type: 'loaded' }) : first,
  );
  const { attempt } = state;
  const loading = state.step === 'loading';

  useEffect(() => {
    if (!loading) return undefined;
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
  }, [attempt, loading, after]);

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

type OpenCaptchaProps = Omit<CaptchaDialogProps<never>, 'request'> & {
  readonly tell: (event: RequestEvent<never>) => void;
};

/** A captcha that is solved by then is not painted: it would only flash. */
const PAINT_AFTER_MS = 250;
/** Long enough to be read. */
const PAINTED_MS = 400;

/** When the dialog was painted; undefined while it is not. */
const usePaintedMs = (atOnce: boolean): number | undefined => {
  const { after } = useEnvironment().browser;
  const [paintedMs, setPaintedMs] = useState<number>();
  useLayoutEffect(() => {
    const paint = (): void => setPaintedMs((known) => known ?? performance.now());
    return atOnce ? paint() : after(PAINT_AFTER_MS, paint);
  }, [atOnce, after]);
  return paintedMs;
};

/** Each mount solves a fresh captcha. */
const OpenCaptcha = ({ title, tell, ahead, onProgress }: OpenCaptchaProps): ReactNode => {
  const { browser, site } = useEnvironment();
  const texts = useTexts('captcha');
  const { cancel: cancelWord } = useTexts('ui');
  const { state, dispatch, AltchaWidget } = useCaptcha();
  const cancel = useRef<HTMLButtonElement>(null);
  const { problem } = state;
  const paintedMs = usePaintedMs(site.captchaDialog === 'always' || problem !== undefined);
  const settled = useSettled(paintedMs !== undefined);
  const [waiting, endWait] = useWait(problem);
  const [proof, setProof] = useState<string>();
  const close = (): void => tell({ type: 'cancelled' });

  const finish = useEffectEvent(() => {
    if (proof !== undefined) tell({ type: 'solved', proof });
  });
  // Not after the next paint: what is to be sent must not wait for it.
  useLayoutEffect(() => {
    if (proof === undefined) return undefined;
    if (paintedMs === undefined) return finish();
    const leftMs = Math.max(0, paintedMs + PAINTED_MS - performance.now());
    return browser.after(leftMs, () => void moveOn(finish, 'whole'));
  }, [proof, paintedMs, browser]);

  return (
    <Dialog title={title} onClose={close} guarded unseen={paintedMs === undefined}>
      <p className={styles.description}>{texts.description}</p>
      {state.step === 'loading' && (
        <p className={styles.loading} aria-hidden="true">
          {texts.loading}
        </p>
      )}
      {state.step === 'widget' && AltchaWidget && (
        <AltchaWidget
          key={state.attempt}
          ask={() => ahead?.take() ?? askChallenge({ fetch: browser.fetch, solver: pageSolver() })}
          onVerified={(payload) =>
            payload ? setProof(payload) : dispatch({ type: 'verified-without-payload' })
          }
          onChange={(widget, reason) =>
            dispatch({ type: 'widget-changed', widget, ...(reason && { problem: reason }) })
          }
          onProgress={onProgress}
        />
      )}
      <VisuallyHidden live>{statusOf(state, texts)}</VisuallyHidden>
      {problem && (
        <Notice tone="error">
          <p>{'message' in problem ? problem.message : texts[problem.name]}</p>
          {problem.retryAfterSeconds && (
            <Countdown key={state.attempt} seconds={problem.retryAfterSeconds} onOver={endWait} />
          )}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button ref={cancel} busy={!settled} onClick={onFirstClick(close)}>
          {cancelWord}
        </Button>
        {problem && (
          <Button
            look="primary"
            busy={waiting}
            onClick={() => {
              // This button goes away now, and would take the focus with it.
              cancel.current?.focus();
              dispatch({ type: 'retried' });
            }}
          >
            {texts.retry}
          </Button>
        )}
      </div>
    </Dialog>
  );
};
