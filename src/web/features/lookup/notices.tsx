import type { ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { adviceFor } from './advice.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Notice, NoticePanel } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import type { Wait } from '../../ui/use-wait.ts';
import styles from './notices.module.css';

export type DonationOffer = {
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
};

type TokenNoticeProps = DonationOffer & {
  /** Others may know it then: the server, and the history of the browser. */
  readonly inAddress: boolean;
};

export const TokenNotice = ({ inAddress, onDonate }: TokenNoticeProps): ReactNode => {
  const texts = useTexts('answer');
  const { donateToken } = useTexts('ui');
  if (inAddress) return <Notice tone="warning">{texts.tokenInAddress}</Notice>;
  return (
    <Notice tone="warning">
      <p>{onDonate ? texts.tokenDonate : texts.tokenReset}</p>
      {onDonate && <Button onClick={onDonate}>{donateToken}</Button>}
    </Notice>
  );
};

type NotFoundNoticeProps = { readonly id: string; readonly createdUtc: string | undefined };

export const NotFoundNotice = ({ id, createdUtc }: NotFoundNoticeProps): ReactNode => {
  const texts = useTexts('answer');
  return (
    <NoticePanel tone="warning">
      <h2 className={styles.sentence}>
        {fill(createdUtc === undefined ? texts.notFoundUndated : texts.notFound, { id })}{' '}
        {createdUtc !== undefined && <Time iso={createdUtc} />}
      </h2>
      <p>{texts.causesTitle}</p>
      <ul className={styles.causes}>
        {texts.causes.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
      <ButtonLink href="/help#whose">{texts.otherIds}</ButtonLink>
    </NoticePanel>
  );
};

type FailureNoticeProps = DonationOffer & {
  readonly failure: Failure;
  readonly wait: Wait;
  readonly onTryAgain: () => void;
};

/** What went wrong and what to do about it. Mount a new one for each failure: it counts down. */
export const FailureNotice = ({ failure, wait, onTryAgain, onDonate }: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, networkError, retryAfterSeconds = 0 } = failure;
  const [waiting, endWait] = wait;
  const texts = useTexts('answer');
  const { donateToken, tryAgain } = useTexts('ui');
  const advised = adviceFor(failure);
  return (
    <NoticePanel tone="error">
      <h2>{message}</h2>
      {networkError && <p>{networkError}</p>}
      {advised && <p>{texts[advised]}</p>}
      {reaction !== 'fix-input' && (
        <>
          {retryAfterSeconds > 0 && <Countdown seconds={retryAfterSeconds} onOver={endWait} />}
          <div className={styles.actions}>
            {cause === 'pool-empty' && onDonate && (
              <Button look="primary" onClick={onDonate}>
                {donateToken}
              </Button>
            )}
            <Button look={cause === 'pool-empty' ? 'plain' : 'primary'} busy={waiting} onClick={onTryAgain}>
              {tryAgain}
            </Button>
            {cause === 'pool-empty' && <ButtonLink href="/status">{texts.viewStatus}</ButtonLink>}
          </div>
        </>
      )}
    </NoticePanel>
  );
};
