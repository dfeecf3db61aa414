import { useRef, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../environment.ts';
import { useWait, type ProvedRequest, type RequestEvent } from '../../proved-request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, onFirstClick, useSettled } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { WaitRing } from '../../ui/wait.tsx';
import styles from './captcha-dialog.module.css';
import type { ProofAhead } from './proof-ahead.ts';
import { useCaptcha } from './use-captcha.ts';

type CaptchaDialogProps<Answer> = {
  readonly title: string;
  readonly request: ProvedRequest<Answer>;
  readonly ahead?: ProofAhead;
  /** It is not for a press, but for a link. */
  readonly unasked?: boolean;
  readonly onProgress?: (share: number) => void;
};

export const CaptchaDialog = <Answer,>({ request, ...rest }: CaptchaDialogProps<Answer>): ReactNode =>
  request.state.step === 'solving' && <OpenCaptcha {...rest} tell={request.dispatch} />;

type OpenCaptchaProps = Omit<CaptchaDialogProps<never>, 'request'> & {
  readonly tell: (event: RequestEvent<never>) => void;
};

const OpenCaptcha = ({ title, tell, ahead, unasked = false, onProgress }: OpenCaptchaProps): ReactNode => {
  const texts = useTexts('captcha');
  const ui = useTexts('ui');
  const { isOnline } = useEnvironment().browser;
  const { state, dispatch, painted, AltchaWidget, take, setProof } = useCaptcha({
    ahead,
    unasked,
    onProof: (proof) => tell({ type: 'solved', proof }),
  });
  const cancel = useRef<HTMLButtonElement>(null);
  const { problem } = state;
  const settled = useSettled(painted);
  const wait = useWait(problem);
  const close = (): void => tell({ type: 'cancelled' });

  return (
    <Dialog title={title} onClose={close} guarded unseen={!painted}>
      <p>{texts.description}</p>
      {state.step === 'loading' && (
        <p className={styles.loading} aria-hidden="true">
          {texts.loading}
        </p>
      )}
      {AltchaWidget && (
        <AltchaWidget
          key={state.attempt}
          ask={take}
          onVerified={(payload) =>
            payload ? setProof(payload) : dispatch({ type: 'verified-without-payload' })
          }
          onChange={(widget, reason) =>
            dispatch({ type: 'widget-changed', widget, ...(reason && { problem: reason }) })
          }
          onProgress={onProgress}
        />
      )}
      {/* The widget shows the same, but announces nothing. */}
      <VisuallyHidden live>
        {state.step === 'loading' && texts.loading}
        {state.step === 'widget' && state.widget === 'verifying' && texts.verifying}
      </VisuallyHidden>
      {problem && (
        <Notice tone="error">
          <p>{'message' in problem ? problem.message : texts[problem.name]}</p>
          {!isOnline() && <p>{ui.offline}</p>}
        </Notice>
      )}
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
