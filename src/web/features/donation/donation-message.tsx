import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './donation-dialog.module.css';
import type { DonationOutcome } from './donation-state.ts';

type DonationMessageProps = {
  readonly id: string;
  readonly outcome: DonationOutcome;
  readonly platformName: string;
  readonly after: Browser['after'];
};

/** What came of a donation. Mount it anew for each outcome: it may count down. */
export const DonationMessage = ({ id, outcome, platformName, after }: DonationMessageProps): ReactNode => {
  switch (outcome.kind) {
    case 'token-missing':
      return (
        <Notice tone="error" id={id}>
          <p>Enter a {platformName} bot token before submitting.</p>
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="error" id={id}>
          <p>{outcome.message}</p>
          {outcome.retryAfterSeconds && <Countdown seconds={outcome.retryAfterSeconds} after={after} />}
        </Notice>
      );
    case 'saved':
      return (
        <Notice tone="success" id={id}>
          <p>Token verified and saved. Thank you for helping keep the service alive!</p>
          {outcome.receipt !== undefined && <Receipt receipt={outcome.receipt} />}
        </Notice>
      );
  }
};

const Receipt = ({ receipt }: { readonly receipt: string }): ReactNode => (
  <>
    <p>Keep this receipt: with it you can take the token back. It is shown only now.</p>
    <code className={styles.receipt}>{receipt}</code>
    <CopyButton text={receipt} label="Copy receipt">
      Copy receipt
    </CopyButton>
  </>
);
