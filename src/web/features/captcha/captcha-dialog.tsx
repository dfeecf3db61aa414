import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './captcha-dialog.module.css';
import { CaptchaWidget } from './captcha-widget.tsx';
import { loadAltcha } from './load-altcha.ts';
import { useCaptcha, type CaptchaState } from './use-captcha.ts';

type CaptchaDialogProps = {
  readonly title: string;
  readonly browser: Browser;
  readonly onProof: (proof: string) => void;
  readonly onClose: () => void;
};

const statusTexts = {
  loading: 'Loading...',
  solving: 'Verifying... please wait.',
  failed: '',
} satisfies Record<CaptchaState['step'], string>;

/** Mounted as long as the visitor is to solve a captcha; each mount solves a fresh one. */
export const CaptchaDialog = ({ title, browser, onProof, onClose }: CaptchaDialogProps): ReactNode => {
  const { state, verified, failed, retry } = useCaptcha({ load: loadAltcha, after: browser.after, onProof });
  return (
    <Dialog title={title} onClose={onClose}>
      <p className={styles.description}>
        Your browser proves with a small calculation that it is not a robot. This takes a moment and needs
        nothing from you.
      </p>
      {state.step === 'solving' && (
        <div className={styles.widget}>
          <CaptchaWidget fetch={browser.fetch} onVerified={verified} onFailed={failed} />
        </div>
      )}
      <p role="status" className={styles[state.step]}>
        {statusTexts[state.step]}
      </p>
      {state.step === 'failed' && (
        <Notice tone="error">
          <p>{state.message}</p>
        </Notice>
      )}
      <div className={styles.actions}>
        <Button onClick={onClose}>Cancel</Button>
        {state.step === 'failed' && (
          <Button look="primary" onClick={retry}>
            Retry
          </Button>
        )}
      </div>
    </Dialog>
  );
};
