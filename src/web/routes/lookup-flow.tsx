import { useEffect, useRef, type ReactNode } from 'react';
import type { Environment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { FailureNotice } from '../features/lookup/failure-notice.tsx';
import type { LookupEvent, LookupState } from '../features/lookup/lookup-state.ts';
import { NotFoundNotice } from '../features/lookup/not-found-notice.tsx';
import { useAnswer } from '../features/lookup/use-answer.ts';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { profileTitle, spokenTitle } from '../features/profile/profile-title.ts';
import { Spoken } from '../ui/spoken.tsx';
import styles from './lookup-flow.module.css';

type LookupFlowProps = {
  readonly lookup: Exclude<LookupState, { readonly step: 'idle' }>;
  readonly dispatch: (event: LookupEvent) => void;
  readonly environment: Environment;
  readonly failureId: string;
  readonly onTryAgain: () => void;
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
  /** What stands below an answer. */
  readonly children: ReactNode;
};

const spokenProgress = (lookup: LookupState): string => {
  if (lookup.step === 'asking') return 'Looking up…';
  if (lookup.step !== 'answered' || lookup.answer.kind !== 'found') return '';
  return `Profile of ${spokenTitle(profileTitle(lookup.answer.profile))} shown.`;
};

/** A lookup from its captcha to its answer. */
export const LookupFlow = (props: LookupFlowProps): ReactNode => {
  const { lookup, dispatch, environment, children } = props;
  const { site, browser } = environment;
  useAnswer(lookup, dispatch, { platformName: site.platformName, fetch: browser.fetch });

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
      <Spoken live>{spokenProgress(lookup)}</Spoken>
      {(!answered || lookup.waited) && (
        <div ref={answered ? undefined : column} className={answered ? styles.held : styles.waiting}>
          <ProfileSkeleton />
          {children}
        </div>
      )}
      {answered && (
        <div ref={column} className={styles.answered}>
          <Answer {...props} lookup={lookup} />
          {children}
        </div>
      )}
      {lookup.step === 'solving' && (
        <CaptchaDialog
          title="Captcha"
          browser={browser}
          onProof={(proof) => dispatch({ type: 'solved', proof })}
          onClose={() => dispatch({ type: 'cancelled' })}
        />
      )}
    </div>
  );
};

type AnswerProps = LookupFlowProps & {
  readonly lookup: Extract<LookupState, { readonly step: 'answered' }>;
};

const Answer = ({ lookup, environment, failureId, onTryAgain, onDonate }: AnswerProps): ReactNode => {
  const { id, answer } = lookup;
  switch (answer.kind) {
    case 'found':
      return <ProfileCard id={id} profile={answer.profile} />;
    case 'not-found':
      return (
        <NotFoundNotice
          id={answer.id}
          createdUtc={answer.createdUtc}
          platformName={environment.site.platformName}
        />
      );
    case 'failed':
      return (
        <FailureNotice
          id={failureId}
          failure={answer}
          after={environment.browser.after}
          onTryAgain={onTryAgain}
          onDonate={onDonate}
        />
      );
  }
};
