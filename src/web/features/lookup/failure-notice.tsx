import type { ReactNode } from 'react';
import type { Reaction } from '#shared/contract/errors.ts';
import type { Failure, FailureCause } from '../../ask-server.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Countdown, useWait } from '../../ui/countdown.tsx';
import { NoticePanel } from '../../ui/notice.tsx';
import styles from './failure-notice.module.css';
import type { DonationOffer } from './token-notice.tsx';

const NOT_THE_ID = "Your ID is fine, and it's still in the field.";
const SOON_OVER = `${NOT_THE_ID} This usually clears up within a few minutes.`;

/** What the visitor can do, after the sentence that says what happened. */
const ADVICE: Readonly<Record<Reaction, string | undefined>> = {
  'solve-again': 'Two captchas in a row were refused. Try again, or reload the page first.',
  // The field is marked and has the focus.
  'fix-input': undefined,
  'try-later': NOT_THE_ID,
  explain: 'This page may be out of date. Reload it and try again.',
};

/** Where there is more to say than the reaction tells. */
const OWN_ADVICE: Readonly<Partial<Record<FailureCause, string>>> = {
  'platform-failed': SOON_OVER,
  'platform-paused': 'Lookups will resume automatically. Your ID is still in the field.',
  'platform-timeout': SOON_OVER,
  'pool-busy': "A slot will open up shortly. Your ID is fine, and it's still in the field.",
  'pool-empty': 'The creation date above still works: it comes from the ID itself.',
  'visitor-limit':
    'Lookups are limited so that there are enough for everyone. Your ID is still in the field.',
  unknown: 'Try again. If it happens once more, reload the page.',
  unreachable: 'Check your connection and try again. Your ID is still in the field.',
  offline: 'Try again when you are connected. Your ID is still in the field.',
};

/** Where what the browser said is no sentence for people. It is quoted all the same. */
const PLAIN_WORDS: Readonly<Partial<Record<FailureCause, string>>> = {
  unreachable: 'The server could not be reached.',
  offline: 'You seem to be offline.',
};

export const adviceFor = ({ cause, reaction }: Failure): string | undefined =>
  OWN_ADVICE[cause] ?? ADVICE[reaction];

type FailureNoticeProps = DonationOffer & {
  readonly failure: Failure;
  readonly onTryAgain: () => void;
};

/** What went wrong and what to do about it. Mount a new one for each failure: it counts down. */
export const FailureNotice = ({ failure, onTryAgain, onDonate }: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, retryAfterSeconds = 0 } = failure;
  const [waiting, endWait] = useWait(failure);
  const advice = adviceFor(failure);
  const plainWords = PLAIN_WORDS[cause];
  return (
    <NoticePanel tone="error">
      <h2>{plainWords ?? message}</h2>
      {plainWords && <p>({message})</p>}
      {advice !== undefined && <p>{advice}</p>}
      {reaction !== 'fix-input' && (
        <>
          {retryAfterSeconds > 0 && <Countdown seconds={retryAfterSeconds} onOver={endWait} />}
          <div className={styles.actions}>
            {cause === 'pool-empty' && onDonate && (
              <Button look="primary" onClick={onDonate}>
                Donate a bot token
              </Button>
            )}
            <Button busy={waiting} onClick={onTryAgain}>
              Try again
            </Button>
            {cause === 'pool-empty' && <ButtonLink href="/status">View status</ButtonLink>}
          </div>
        </>
      )}
    </NoticePanel>
  );
};
