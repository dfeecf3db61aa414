import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';
import styles from './donation-dialog.module.css';
import type { DonationOutcome } from './donation-state.ts';

type DonationMessageProps = {
  readonly id: string;
  readonly outcome: DonationOutcome | undefined;
  readonly platformName: string;
};

/** What came of a donation. Always there, so that a screen reader hears what appears in it. */
export const DonationMessage = ({ id, outcome, platformName }: DonationMessageProps): ReactNode => (
  <div id={id} className={styles.message}>
    <div role="status">{outcome?.kind === 'saved' && <Saved receipt={outcome.receipt} />}</div>
    {outcome?.kind === 'failed' && <Notice tone="error">{outcome.message}</Notice>}
    {outcome?.kind === 'token-missing' && (
      <Notice tone="error">Enter a {platformName} bot token before submitting.</Notice>
    )}
  </div>
);

const Saved = ({ receipt }: { readonly receipt: string | undefined }): ReactNode => (
  <div className={styles.saved}>
    <p>Token verified and saved. Thank you for helping keep the service alive!</p>
    {receipt !== undefined && (
      <>
        <p>Keep this receipt to take the token back one day. It is shown only now.</p>
        <code>{receipt}</code>
      </>
    )}
  </div>
);
