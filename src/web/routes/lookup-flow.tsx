import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react';
import type { ProfileAnswer } from '../read-profile.ts';
import { claimSentProof } from '../ask-server.ts';
import { fill, isolate } from '#shared/fill.ts';
import { useTexts, useWindowEvent } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { useProofAhead } from '../features/captcha/use-captcha.ts';
import { ProofLine } from '../features/captcha/proof-line.tsx';
import { decode } from '../features/lookup/decoded-id.tsx';
import type { useIdField } from '../features/lookup/id-field.ts';
import { noteOnId, plausibleId, submitId } from '../features/lookup/id-note.ts';
import { lookUp, type LookupAnswer } from '../features/lookup/look-up.ts';
import {
  FailureNotice,
  NotFoundNotice,
  TokenNotice,
  type DonationOffer,
} from '../features/lookup/notices.tsx';
import { useSeen } from '../features/lookup/shared-id.ts';
import { useVisits } from '../features/lookup/visits.ts';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { profileTitle, shortTitle } from '../features/profile/profile-name.ts';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { inputFailureOf, useSendRequest, type ProvedRequest, type Wait } from '../proved-request.ts';
import { Button } from '../ui/button.tsx';
import { useSettled } from '../ui/dialog.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './lookup-flow.module.css';

type LookupFlowProps = DonationOffer & {
  readonly request: ProvedRequest<LookupAnswer>;
  /** By a link, without a press. */
  readonly unasked: boolean;
  readonly field: Pick<ReturnType<typeof useIdField>, 'text' | 'tokenSeen' | 'inAddress'>;
  readonly wait: Wait;
  readonly onProgress: (share: number) => void;
  readonly onTryAgain: (id: string) => void;
  readonly onRevisit: (id: string, forgotten: boolean) => void;
};

const foundIn = ({ answer }: ProvedRequest<LookupAnswer>): ProfileAnswer | undefined =>
  answer?.kind === 'found' ? answer.profile : undefined;

const LookupFlow = (props: LookupFlowProps): ReactNode => {
  const { request, field, onRevisit } = props;
  const { text } = field;
  const { lookupFailed: unreachable, busy } = useTexts('lookup');
  const { invisibleName } = useTexts('card');
  const { shown } = useTexts('answer');
  const { state: lookup, answer } = request;
  const { step } = lookup;
  const found = foundIn(request);
  const name = found && shortTitle(profileTitle(found, invisibleName));
  useSendRequest(request, (proved, network) => lookUp({ ...proved, unreachable }, network));
  useVisits(request, { name, onRevisit });
  // An id whose answer is already shown, even after going back to it, will not be looked up.
  const known = answer?.id === text;
  const seen = useSeen();
  // A link is looked up with the proof that its page began with.
  const sent = props.unasked && step === 'sending';
  const ahead = useProofAhead(plausibleId(text), seen && !known && !sent);

  return (
    <>
      <VisuallyHidden live>
        {step === 'sending' && busy}
        {name && fill(shown, { name: isolate(name) })}
      </VisuallyHidden>
      {field.tokenSeen && <TokenNotice inAddress={field.inAddress} onDonate={props.onDonate} />}
      <CaptchaDialog
        title={useTexts('captcha').title}
        request={request}
        ahead={ahead}
        unasked={props.unasked}
        onProgress={props.onProgress}
      />
      {step === 'answered' && !inputFailureOf(lookup) && (
        <Answer {...props} input={lookup.input} solvedMs={lookup.solvedMs} />
      )}
    </>
  );
};

type AnswerProps = LookupFlowProps & {
  readonly input: string;
  readonly solvedMs: number | undefined;
};

const Answer = ({ input, solvedMs, ...props }: AnswerProps): ReactNode => {
  const { request, field } = props;
  const { answer, failure } = request;
  const found = foundIn(request);
  const place = useRef<HTMLDivElement>(null);
  const focusHeading = useEffectEvent((id: string) => {
    const heading = place.current?.querySelector('h2');
    // A visitor who has begun to type another id is left alone.
    if (!heading || field.text !== id) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  // Not after the next paint: by then somebody may be in the field again, about to type.
  useLayoutEffect(() => {
    if (found === undefined) return undefined;
    const { activeElement } = document;
    // In the frame, which lays the page out anyway; until then somebody may have gone to the field.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === activeElement) focusHeading(found.id);
    });
    return () => cancelAnimationFrame(frame);
  }, [found]);

  return (
    <div ref={place} className={styles.place}>
      {found && <ProfileCard key={found.id} profile={found} />}
      {answer?.kind === 'not-found' && <NotFoundNotice {...answer} />}
      {failure && (
        <>
          <FailureNotice {...props} failure={failure} onTryAgain={() => props.onTryAgain(input)} />
          {decode(input)}
        </>
      )}
      {solvedMs !== undefined && <ProofLine solvedMs={solvedMs} />}
    </div>
  );
};

type WaitingProps = {
  readonly share: number;
  readonly sending: boolean;
  readonly onCancel: () => void;
};

const Waiting = ({ share, sending, onCancel }: WaitingProps): ReactNode => {
  const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
    if (key === 'Escape' && !defaultPrevented) onCancel();
  };
  useWindowEvent('keydown', onKey, sending);
  return (
    <div className={styles.place}>
      <div inert>
        <ProfileSkeleton share={sending ? 1 : share} />
      </div>
      {sending && <CancelLookup onCancel={onCancel} />}
    </div>
  );
};

const CancelLookup = ({ onCancel }: { readonly onCancel: () => void }): ReactNode => {
  const { cancel: words } = useTexts('ui');
  const settled = useSettled();
  return (
    settled && (
      <div className={styles.cancel}>
        <Button onClick={onCancel}>{words}</Button>
      </div>
    )
  );
};

/** In a chunk of its own: a page at rest does not need it. */
export const lookupFlow = { LookupFlow, Waiting, decode, noteOnId, plausibleId, submitId, claimSentProof };
