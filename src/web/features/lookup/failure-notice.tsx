import { useCallback, useState, type ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Notice } from '../../ui/notice.tsx';
import { adviceFor } from './failure-advice.ts';
import styles from './failure-notice.module.css';
import type { LookupFailure } from './look-up.ts';

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
  const [waiting, setWaiting] = useState(retryAfterSeconds > 0);
  const endWait = useCallback(() => setWaiting(false), []);
  const advice = adviceFor(cause);
  return (
    <Notice tone="error" id={id}>
      <p>{message}</p>
      {advice !== undefined && <p>{advice}</p>}
      {reaction !== 'fix-input' && (
        <>
          {retryAfterSeconds > 0 && <Countdown seconds={retryAfterSeconds} after={after} onOver={endWait} />}
          <div className={styles.actions}>
            {cause === 'pool-empty' && onDonate && (
              <Button look="primary" onClick={onDonate}>
                Donate a bot token
              </Button>
            )}
            <Button busy={waiting} onClick={onTryAgain}>
              Try again
            </Button>
            {cause === 'pool-empty' && <ButtonLink href="/status">See the status</ButtonLink>}
          </div>
        </>
      )}
    </Notice>
  );
};
