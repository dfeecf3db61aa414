import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './receipt.module.css';
import type { SubmissionOutcome } from './submission-state.ts';

type SubmissionMessageProps = {
  readonly id: string;
  readonly outcome: SubmissionOutcome;
  /** What to say of an empty field. */
  readonly missing: string;
  readonly after: Browser['after'];
};

/** What came of a submission. Mount it anew for each outcome: it may count down. */
export const SubmissionMessage = ({ id, outcome, missing, after }: SubmissionMessageProps): ReactNode => {
  switch (outcome.kind) {
    case 'missing':
      return (
        <Notice tone="error" id={id}>
          <p>{missing}</p>
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="error" id={id}>
          <p>{outcome.message}</p>
          {outcome.retryAfterSeconds && <Countdown seconds={outcome.retryAfterSeconds} after={after} />}
        </Notice>
      );
    case 'accepted':
      return (
        <Notice tone="success" id={id}>
          <p>{outcome.message}</p>
          {outcome.receipt !== undefined && <Receipt receipt={outcome.receipt} />}
        </Notice>
      );
  }
};

const Receipt = ({ receipt }: { readonly receipt: string }): ReactNode => (
  <>
    <p>
      This is your receipt. Keep it: it is shown only once. With it you can withdraw the token at any time, on
      the Token Donation page under “How to leave”.
    </p>
    <code className={styles.receipt}>{receipt}</code>
    <CopyButton text={receipt} label="Copy receipt">
      Copy receipt
    </CopyButton>
  </>
);
