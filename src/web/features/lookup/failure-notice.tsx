import type { ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import { advice, adviceByCause, failureNotice as texts, plainWords } from '../../texts/lookup/flow.ts';
import { DONATE_TOKEN } from '../../texts/lookup/page.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Countdown, useWait } from '../../ui/countdown.tsx';
import { NoticePanel } from '../../ui/notice.tsx';
import styles from './failure-notice.module.css';
import type { DonationOffer } from './token-notice.tsx';

export const adviceFor = ({ cause, reaction }: Failure): string | undefined =>
  adviceByCause[cause] ?? advice[reaction];

type FailureNoticeProps = DonationOffer & {
  readonly failure: Failure;
  readonly onTryAgain: () => void;
};

/** What went wrong and what to do about it. Mount a new one for each failure: it counts down. */
export const FailureNotice = ({ failure, onTryAgain, onDonate }: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, retryAfterSeconds = 0 } = failure;
  const [waiting, endWait] = useWait(failure);
  const advised = adviceFor(failure);
  const plain = plainWords[cause];
  return (
    <NoticePanel tone="error">
      <h2>{plain ?? message}</h2>
      {plain && <p>({message})</p>}
      {advised !== undefined && <p>{advised}</p>}
      {reaction !== 'fix-input' && (
        <>
          {retryAfterSeconds > 0 && <Countdown seconds={retryAfterSeconds} onOver={endWait} />}
          <div className={styles.actions}>
            {cause === 'pool-empty' && onDonate && (
              <Button look="primary" onClick={onDonate}>
                {DONATE_TOKEN}
              </Button>
            )}
            <Button busy={waiting} onClick={onTryAgain}>
              {texts.tryAgain}
            </Button>
            {cause === 'pool-empty' && <ButtonLink href="/status">{texts.status}</ButtonLink>}
          </div>
        </>
      )}
    </NoticePanel>
  );
};
