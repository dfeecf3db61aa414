import type { ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './receipt.module.css';

export type Accepted = {
  readonly kind: 'accepted';
  readonly message: string;
  /** What the donor can take the token back with. The server gives it this once. */
  readonly receipt?: string;
};

type SubmissionMessageProps = { readonly id: string; readonly answer: Accepted | Failure };

/** What came of a submission. Mount a new one for each answer: it may count down. */
export const SubmissionMessage = ({ id, answer }: SubmissionMessageProps): ReactNode =>
  answer.kind === 'failed' ? (
    <Notice tone="error" id={id}>
      <p>{answer.message}</p>
      {answer.retryAfterSeconds && <Countdown seconds={answer.retryAfterSeconds} />}
    </Notice>
  ) : (
    <Notice tone="success" id={id}>
      <p>{answer.message}</p>
      {answer.receipt !== undefined && <Receipt receipt={answer.receipt} />}
    </Notice>
  );

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
