import { useEffect, useRef, type ReactNode } from 'react';
import type { Environment } from '../environment.ts';
import { FailureNotice } from '../features/lookup/failure-notice.tsx';
import type { LookupState } from '../features/lookup/lookup-state.ts';
import { NotFoundNotice } from '../features/lookup/not-found-notice.tsx';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { profileTitle, spokenTitle } from '../features/profile/profile-title.ts';
import { Spoken } from '../ui/spoken.tsx';

type LookupOutcomeProps = {
  readonly lookup: Exclude<LookupState, { readonly step: 'idle' }>;
  readonly environment: Environment;
  readonly failureId: string;
  readonly onTryAgain: () => void;
  readonly onDonate: (() => void) | undefined;
};

const spokenProgress = (lookup: LookupOutcomeProps['lookup']): string => {
  if (lookup.step === 'asking') return 'Looking up…';
  if (lookup.step !== 'answered' || lookup.answer.kind !== 'found') return '';
  return `Profile of ${spokenTitle(profileTitle(lookup.answer.profile))} shown.`;
};

/** What has become of a lookup, from its start on. A part of its own: no page needs it before somebody looks something up. */
export const LookupOutcome = (props: LookupOutcomeProps): ReactNode => {
  const { lookup } = props;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lookup.step === 'solving') return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    outcome.current?.scrollIntoView({ block: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  }, [lookup]);

  return (
    <div ref={outcome}>
      <Spoken live>{spokenProgress(lookup)}</Spoken>
      {lookup.step === 'answered' ? <Answer {...props} lookup={lookup} /> : <ProfileSkeleton />}
    </div>
  );
};

type AnswerProps = LookupOutcomeProps & {
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
