import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import type { Failure } from '../ask-server.ts';
import { useEnvironment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { FailureNotice } from '../features/lookup/failure-notice.tsx';
import type { DonationOffer } from '../features/lookup/id-field.tsx';
import { lookUp, type LookupAnswer } from '../features/lookup/look-up.ts';
import { NotFoundNotice } from '../features/lookup/not-found-notice.tsx';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { profileTitle, shortTitle } from '../features/profile/profile-name.ts';
import { useSending, type ProvedRequest, type RequestState } from '../proved-request.ts';
import { Button } from '../ui/button.tsx';
import { useSettled } from '../ui/dialog.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './lookup-flow.module.css';

type LookupFlowProps = DonationOffer & {
  /** A lookup that was begun. */
  readonly request: ProvedRequest<LookupAnswer>;
  readonly failureId: string;
  readonly onTryAgain: (id: string) => void;
  /** What stands below an answer. */
  readonly children: ReactNode;
};

const announcementOf = (lookup: RequestState<LookupAnswer>): string => {
  if (lookup.step === 'sending') return 'Looking up…';
  if (lookup.step !== 'answered' || lookup.answer.kind !== 'found') return '';
  return `Profile of ${shortTitle(profileTitle(lookup.answer.profile))} shown.`;
};

/** A lookup from its captcha to its answer. */
export const LookupFlow = (props: LookupFlowProps): ReactNode => {
  const { request, children } = props;
  const { platformName } = useEnvironment().site;
  useSending(request, (proved, network) => lookUp({ ...proved, platformName }, network));
  const lookup = request.state;

  const column = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lookup.step === 'solving') return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = calm ? 'instant' : 'smooth';
    column.current?.firstElementChild?.scrollIntoView({ block: 'nearest', behavior });
  }, [lookup.step]);

  const answered = lookup.step === 'answered';
  return (
    <div className={styles.flow}>
      <VisuallyHidden live>{announcementOf(lookup)}</VisuallyHidden>
      {(!answered || lookup.waited) && (
        <div ref={answered ? undefined : column} className={answered ? styles.held : styles.waiting}>
          <ProfileSkeleton />
          {lookup.step === 'sending' && (
            <CancelLookup onCancel={() => request.dispatch({ type: 'abandoned' })} />
          )}
          {children}
        </div>
      )}
      {answered && (
        <div ref={column} className={styles.answered}>
          <Answer {...props} input={lookup.input} answer={lookup.answer} />
          {children}
        </div>
      )}
      <CaptchaDialog title="Captcha" request={request} />
    </div>
  );
};

/** Escape cancels as well, as it did the captcha. */
const CancelLookup = ({ onCancel }: { readonly onCancel: () => void }): ReactNode => {
  const settled = useSettled();
  const cancel = useEffectEvent(onCancel);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) cancel();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Button busy={!settled} onClick={onCancel}>
      Cancel
    </Button>
  );
};

type AnswerProps = LookupFlowProps & {
  readonly input: string;
  readonly answer: LookupAnswer | Failure;
};

const Answer = ({ answer, input, failureId, onTryAgain, onDonate }: AnswerProps): ReactNode => {
  switch (answer.kind) {
    case 'found':
      return <ProfileCard id={answer.id} profile={answer.profile} />;
    case 'not-found':
      return <NotFoundNotice id={answer.id} createdUtc={answer.createdUtc} />;
    case 'failed':
      return (
        <FailureNotice
          id={failureId}
          failure={answer}
          onTryAgain={() => onTryAgain(input)}
          onDonate={onDonate}
        />
      );
  }
};
