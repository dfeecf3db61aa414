import type { ReactNode } from 'react';
import type { Reaction } from '#shared/contract/errors.ts';
import type { Failure, FailureCause } from '../../ask-server.ts';
import { fill } from '#shared/fill.ts';
import { ID_DIGITS } from '#shared/snowflake.ts';
import { useTexts } from '../../environment.ts';
import { fillElements } from '../../texts/fill-elements.ts';
import type { Texts } from '../../texts/translation.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice, NoticePanel } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import type { Wait } from '../../use-wait.ts';
import { WaitRing } from '../../ui/wait.tsx';
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

type NotFoundNoticeProps = { readonly id: string; readonly createdUtc: string | null };

export const NotFoundNotice = ({ id, createdUtc }: NotFoundNoticeProps): ReactNode => {
  const texts = useTexts('answer');
  const { tooShort } = useTexts('id');
  return (
    <NoticePanel tone="warning">
      <h2 className={styles.sentence}>
        {createdUtc !== null
          ? fillElements(texts.notFound, { id, time: <Time iso={createdUtc} /> })
          : fill(texts.notFoundUndated, { id })}
      </h2>
      {id.length < ID_DIGITS.fewest ? (
        <p>{tooShort}</p>
      ) : (
        <>
          <p>{texts.causesTitle}</p>
          <ul className={styles.causes}>
            {texts.causes.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </>
      )}
      <ButtonLink href="/help#whose">{texts.otherIds}</ButtonLink>
    </NoticePanel>
  );
};

type Advice = Exclude<keyof Texts['answer'], 'causes'>;

const BY_REACTION: Readonly<Partial<Record<Reaction, Advice>>> = {
  'solve-again': 'solveAgain',
  explain: 'outOfDate',
};

const BY_CAUSE: Readonly<Partial<Record<FailureCause, Advice>>> = {
  internal: 'ourFault',
  'platform-failed': 'soonOver',
  'platform-timeout': 'soonOver',
  'pool-empty': 'dateStillRight',
  'visitor-limit': 'whyLimited',
  unknown: 'ourFault',
  unreachable: 'checkConnection',
  offline: 'onceOnline',
};

export const adviceFor = ({ cause, reaction }: Pick<Failure, 'cause' | 'reaction'>): Advice | undefined =>
  BY_CAUSE[cause] ?? BY_REACTION[reaction];

type FailureNoticeProps = DonationOffer & {
  readonly failure: Failure;
  readonly wait: Wait;
  readonly onTryAgain: () => void;
};

/** What only has to be waited for is no error. */
export const FailureNotice = ({ failure, wait, onTryAgain, onDonate }: FailureNoticeProps): ReactNode => {
  const { message, reaction, cause, networkError } = failure;
  const texts = useTexts('answer');
  const { donateToken, tryAgain } = useTexts('ui');
  const advised = adviceFor(failure);
  return (
    <NoticePanel tone={wait.seconds > 0 ? 'wait' : 'error'}>
      <h2>{message}</h2>
      {networkError && (
        <p>
          <bdi lang="en">{networkError}</bdi>
        </p>
      )}
      {advised && <p>{texts[advised]}</p>}
      {reaction !== 'fix-input' && (
        <div className="row">
          {cause === 'pool-empty' && onDonate && (
            <Button look="primary" onClick={onDonate}>
              {donateToken}
            </Button>
          )}
          <Button
            look={cause === 'pool-empty' ? 'plain' : 'primary'}
            busy={wait.left > 0}
            onClick={onTryAgain}
          >
            <WaitRing {...wait} />
            {tryAgain}
          </Button>
          {cause === 'pool-empty' && <ButtonLink href="/status">{texts.viewStatus}</ButtonLink>}
        </div>
      )}
    </NoticePanel>
  );
};
