import type { ReactNode } from 'react';
import type { Failure } from '../../ask-server.ts';
import { useEnvironment } from '../../environment.ts';
import * as texts from '../../texts/lookup/flow.ts';
import { DONATE_TOKEN, TRY_AGAIN } from '../../texts/lookup/page.ts';
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
  if (inAddress) return <Notice tone="warning">{texts.tokenSeen.inAddress}</Notice>;
  return (
    <Notice tone="warning">
      <p>{onDonate ? texts.tokenSeen.donate : texts.tokenSeen.reset}</p>
      {onDonate && <Button onClick={onDonate}>{DONATE_TOKEN}</Button>}
    </Notice>
  );
};

type NotFoundNoticeProps = { readonly id: string; readonly createdUtc: string };

export const NotFoundNotice = ({ id, createdUtc }: NotFoundNoticeProps): ReactNode => (
  <NoticePanel tone="warning">
    <h2>{texts.notFoundNotice.title}</h2>
    <p>
      {texts.notFoundNotice.notFound(id, useEnvironment().site)} <Time iso={createdUtc} />
    </p>
    <p>{texts.notFoundNotice.causesTitle}</p>
    <ul className={styles.causes}>
      {texts.notFoundNotice.causes.map((cause) => (
        <li key={cause}>{cause}</li>
      ))}
    </ul>
    <ButtonLink href="/help#whose">{texts.notFoundNotice.help}</ButtonLink>
  </NoticePanel>
);

export const adviceFor = ({ cause, reaction }: Failure): string | undefined =>
  texts.adviceByCause[cause] ?? texts.advice[reaction];

type FailureNoticeProps = DonationOffer & {
  readonly failure: Failure;
  readonly wait: Wait;
  readonly onTryAgain: () => void;
};

/** What went wrong and what to do about it. Mount a new one for each failure: it counts down. */
export const FailureNotice = ({ failure, wait, onTryAgain, onDonate }: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, retryAfterSeconds = 0 } = failure;
  const [waiting, endWait] = wait;
  const advised = adviceFor(failure);
  const plain = texts.plainWords[cause];
  return (
    <NoticePanel tone="error">
      <h2>{plain ?? message}</h2>
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
            <Button look={cause === 'pool-empty' ? 'plain' : 'primary'} busy={waiting} onClick={onTryAgain}>
              {TRY_AGAIN}
            </Button>
            {cause === 'pool-empty' && <ButtonLink href="/status">{texts.failureNotice.status}</ButtonLink>}
          </div>
        </>
      )}
      {plain && (
        <details className={styles.technical}>
          <summary>{texts.failureNotice.technical}</summary>
          <p>{message}</p>
        </details>
      )}
    </NoticePanel>
  );
};
