import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spoken } from '../../ui/spoken.tsx';
import { adviceFor, waitInWords } from './failure-advice.ts';
import styles from './failure-notice.module.css';
import type { LookupFailure } from './look-up.ts';
import { useCountdown } from './use-countdown.ts';

type FailureNoticeProps = {
  readonly failure: LookupFailure;
  readonly id: string;
  readonly after: Browser['after'];
  readonly onTryAgain: () => void;
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
};

/** What went wrong and what to do about it. Mount it anew for each failure: it counts down. */
export const FailureNotice = ({
  failure,
  id,
  after,
  onTryAgain,
  onDonate,
}: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, retryAfterSeconds = 0 } = failure;
  const left = useCountdown(retryAfterSeconds, after);
  const advice = adviceFor(cause);
  return (
    <>
      <Notice tone="error" id={id}>
        <p>{message}</p>
        {advice !== undefined && <p>{advice}</p>}
        {reaction !== 'mend-id' && (
          <>
            {retryAfterSeconds > 0 && <Wait seconds={retryAfterSeconds} left={left} />}
            <div className={styles.actions}>
              {cause === 'pool-empty' && onDonate && (
                <Button look="primary" onClick={onDonate}>
                  Donate a bot token
                </Button>
              )}
              <Button busy={left > 0} onClick={onTryAgain}>
                Try again
              </Button>
            </div>
          </>
        )}
      </Notice>
      <Spoken live>{retryAfterSeconds > 0 && left === 0 && 'You can try again now.'}</Spoken>
    </>
  );
};

type WaitProps = { readonly seconds: number; readonly left: number };

/** Seen, it counts down; heard, it says once how long the wait is. */
const Wait = ({ seconds, left }: WaitProps): ReactNode => (
  <p className={styles.wait}>
    <span aria-hidden="true">
      {left > 0 ? `You can try again in ${waitInWords(left)}.` : 'You can try again now.'}
    </span>
    <Spoken>You can try again in {waitInWords(seconds)}.</Spoken>
  </p>
);
