import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { useEnvironment, useTexts, useWindowEvent } from '../../environment.ts';
import type { ProvedRequest, RequestEvent } from '../../proved-request.ts';
import { useWait } from '../../use-wait.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, onFirstClick, useSettled } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { WaitRing } from '../../ui/wait.tsx';
import styles from './captcha-dialog.module.css';
import { firstAttempt, isWidget, LIMITS_MS, nextCaptchaState } from './captcha-state.ts';
import { altchaAtHand, loadAltcha } from './load-altcha.ts';
import { proofsIn, type Attempt, type Proofs } from './proof.ts';

/** A captcha that is solved by then is not painted: it would only flash. */
const PAINT_AFTER_MS = 250;
const PAINTED_MS = { auto: 400, always: 1_000 };

/** The proof is made without the widget, which takes it over once it is there and the dialog is painted. */
const useCaptcha = (proofs: Proofs, onProof: (proof: string) => void) => {
  const { browser, site } = useEnvironment();
  const { after } = browser;
  const always = site.captchaDialog === 'always';
  const [state, dispatch] = useReducer(nextCaptchaState, firstAttempt, (first) =>
    altchaAtHand() ? nextCaptchaState(first, { type: 'loaded' }) : first,
  );
  const [proof, setProof] = useState<string>();
  const [needsWidget, setNeedsWidget] = useState(false);
  const { attempt, widget, problem } = state;
  const [paintedMs, setPaintedMs] = useState<number>();
  const atOnce = always || problem !== undefined;
  useLayoutEffect(() => {
    const paint = (): void => setPaintedMs((known) => known ?? performance.now());
    return atOnce ? paint() : after(PAINT_AFTER_MS, paint);
  }, [atOnce, after]);
  const showWidget = paintedMs !== undefined || needsWidget;
  const pending = useRef<Attempt>(undefined);

  // Not in a layout effect: a proof that the page begins in one is the one to take.
  useEffect(() => {
    if (always) return undefined;
    const begun = proofs.take();
    pending.current = begun;
    const prove = async (): Promise<void> => {
      const made = await begun.proof;
      if (pending.current !== begun) return;
      // At once: what is to be sent must not wait for a frame that is being painted.
      flushSync(() => (made === undefined ? setNeedsWidget(true) : setProof(made)));
    };
    void prove();
    return () => {
      pending.current?.end();
      pending.current = undefined;
    };
  }, [attempt, always, proofs]);

  const loading = widget === 'loading' && showWidget;
  useEffect(() => {
    if (!loading) return undefined;
    let current = true;
    const tell = (type: 'loaded' | 'loading-failed') => () => current && dispatch({ type });
    void loadAltcha().then(tell('loaded'), tell('loading-failed'));
    return () => {
      current = false;
    };
  }, [attempt, loading]);

  useEffect(() => {
    const limitMs = LIMITS_MS[widget];
    return limitMs === undefined ? undefined : after(limitMs, () => dispatch({ type: 'too-long' }));
  }, [attempt, widget, after]);

  // Out of the back/forward cache comes a challenge that may have expired while the clocks stood still.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) dispatch({ type: 'retried' });
  });

  const finish = useEffectEvent(onProof);
  useLayoutEffect(() => {
    if (proof === undefined) return undefined;
    if (paintedMs === undefined) return finish(proof);
    const leftMs = Math.max(0, paintedMs + PAINTED_MS[site.captchaDialog] - performance.now());
    return after(leftMs, () => finish(proof));
  }, [proof, paintedMs, after, site.captchaDialog]);

  return {
    state,
    dispatch,
    painted: paintedMs !== undefined,
    AltchaWidget: showWidget && isWidget(state) ? altchaAtHand() : undefined,
    handOver: (): Attempt => {
      const taken = pending.current ?? proofs.take();
      pending.current = undefined;
      return taken;
    },
    setProof,
  };
};

type CaptchaDialogProps<Answer> = {
  readonly title: string;
  readonly request: ProvedRequest<Answer>;
  /** Where the page begins them ahead. */
  readonly proofs?: Proofs;
};

export const CaptchaDialog = <Answer,>({ title, request, proofs }: CaptchaDialogProps<Answer>): ReactNode => {
  const { browser } = useEnvironment();
  const [own] = useState(() => proofsIn(browser));
  return (
    request.state.step === 'proving' && (
      <OpenCaptcha title={title} proofs={proofs ?? own} tell={request.dispatch} />
    )
  );
};

type OpenCaptchaProps = {
  readonly title: string;
  readonly proofs: Proofs;
  readonly tell: (event: RequestEvent<never>) => void;
};

const OpenCaptcha = ({ title, proofs, tell }: OpenCaptchaProps): ReactNode => {
  const texts = useTexts('captcha');
  const ui = useTexts('ui');
  const captcha = useCaptcha(proofs, (proof) => tell({ type: 'proved', proof }));
  const { state, dispatch, painted, AltchaWidget } = captcha;
  const cancel = useRef<HTMLButtonElement>(null);
  const { problem, widget } = state;
  const settled = useSettled(painted);
  const wait = useWait(problem);
  const close = (): void => tell({ type: 'cancelled' });

  return (
    <Dialog title={title} onClose={close} guarded unseen={!painted}>
      {/* The widget goes on beside a problem, unseen: it may be late, and its own words for one would be a second message. */}
      <div className={styles.stage}>
        <div className={styles.task}>
          <p>{texts.description}</p>
          {widget === 'loading' && (
            <p className={styles.loading} aria-hidden="true">
              {texts.loading}
            </p>
          )}
          {AltchaWidget && (
            <AltchaWidget
              key={state.attempt}
              take={captcha.handOver}
              onVerified={(payload) =>
                payload ? captcha.setProof(payload) : dispatch({ type: 'verified-without-payload' })
              }
              onChange={(changed, reason) =>
                dispatch({ type: 'widget-changed', widget: changed, ...(reason && { problem: reason }) })
              }
            />
          )}
        </div>
        {problem && (
          <Notice tone="error">
            <p>{'message' in problem ? problem.message : texts[problem.name]}</p>
          </Notice>
        )}
      </div>
      {/* The widget shows the same, but announces nothing. */}
      <VisuallyHidden live>
        {!problem && widget === 'loading' && texts.loading}
        {widget === 'verifying' && texts.verifying}
      </VisuallyHidden>
      <div className={`row ${styles.actions}`}>
        <Button ref={cancel} busy={!settled} onClick={onFirstClick(close)}>
          {ui.cancel}
        </Button>
        {problem && (
          <Button
            look="primary"
            busy={wait.left > 0}
            onClick={() => {
              // This button goes away now, and would take the focus with it.
              cancel.current?.focus();
              dispatch({ type: 'retried' });
            }}
          >
            <WaitRing {...wait} />
            {ui.tryAgain}
          </Button>
        )}
      </div>
    </Dialog>
  );
};
