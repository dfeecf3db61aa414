import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import { useEnvironment, useTexts, useWindowEvent } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { useShare } from '../features/captcha/use-share.ts';
import { proofsIn, type Proofs } from '../features/captcha/proof.ts';
import { ProofLine } from '../features/captcha/proof-line.tsx';
import { decode } from '../features/lookup/decoded-id.tsx';
import type { useIdField } from '../features/lookup/id-field.ts';
import { noteOnId, plausibleId, submitId } from '../features/lookup/id-note.ts';
import { lookUp, readAnswer, type LookupAnswer } from '../features/lookup/look-up.ts';
import {
  FailureNotice,
  NotFoundNotice,
  TokenNotice,
  type DonationOffer,
} from '../features/lookup/notices.tsx';
import { useSeen } from '../features/lookup/shared-id.ts';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { profileTitle, shortTitle } from '../features/profile/profile-name.ts';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { isBusy, problemOf, useSendRequest, type ProvedRequest } from '../proved-request.ts';
import type { ProfileAnswer } from '../read-profile.ts';
import type { TextStore } from '../texts/text-store.ts';
import { Button } from '../ui/button.tsx';
import { useSettled } from '../ui/dialog.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import type { Wait } from '../use-wait.ts';
import styles from './lookup-flow.module.css';

type LookupFlowProps = DonationOffer & {
  readonly request: ProvedRequest<LookupAnswer>;
  /** The page came with the place of an answer, and it may be all that there ever is. */
  readonly expected: boolean;
  readonly field: Pick<ReturnType<typeof useIdField>, 'text' | 'tokenSeen' | 'inAddress'>;
  readonly wait: Wait;
  readonly onTryAgain: (id: string) => void;
};

const nameIn = (answer: LookupAnswer | undefined, texts: TextStore): string | undefined =>
  answer?.kind === 'found'
    ? shortTitle(profileTitle(answer.profile, texts.section('card').invisibleName))
    : undefined;

/** A proof is begun while the field holds an ID, but not for those who save data. */
const useProofs = (id: string | undefined): Proofs => {
  const { browser } = useEnvironment();
  const [proofs] = useState(() => proofsIn(browser));
  const seen = useSeen();
  // Before a captcha that is there at the same time can ask: it would ask for another challenge.
  useLayoutEffect(() => {
    if (id !== undefined && seen && !browser.savesData()) proofs.begin();
  }, [id, seen, proofs, browser]);
  useEffect(() => proofs.drop, [proofs]);
  return proofs;
};

const LookupFlow = (props: LookupFlowProps): ReactNode => {
  const { request, field, expected } = props;
  const { state, answer, dispatch } = request;
  // An ID whose answer is already shown, even after going back to it, will not be looked up.
  const proofs = useProofs(answer?.id === field.text ? undefined : plausibleId(field.text));
  return (
    <>
      {!expected && <Outcome {...props} proofs={proofs} />}
      {(isBusy(state) || (state.step === 'starting' && expected)) && (
        <Waiting
          key={state.input}
          proofs={expected ? undefined : proofs}
          sending={state.step === 'sending'}
          onCancel={() => dispatch({ type: 'abandoned' })}
        />
      )}
    </>
  );
};

const Outcome = (props: LookupFlowProps & { readonly proofs: Proofs }): ReactNode => {
  const { request, field, proofs } = props;
  const { lookupFailed: unreachable, busy } = useTexts('lookup');
  const { shown } = useTexts('answer');
  const { state } = request;
  const name = nameIn(request.answer, useEnvironment().texts);
  useSendRequest(request, (proved, network) => lookUp({ ...proved, unreachable }, network));

  return (
    <>
      <VisuallyHidden live>
        {state.step === 'sending' && busy}
        {name && fill(shown, { name: isolate(name) })}
      </VisuallyHidden>
      {field.tokenSeen && <TokenNotice inAddress={field.inAddress} onDonate={props.onDonate} />}
      <CaptchaDialog title={useTexts('captcha').title} request={request} proofs={proofs} />
      {state.step === 'answered' && <Answer field={field} answer={state.answer} proof={state.proof} />}
      {state.step === 'refused' && state.failure !== problemOf(state) && (
        <div className={styles.place}>
          <FailureNotice
            {...props}
            failure={state.failure}
            onTryAgain={() => props.onTryAgain(state.input)}
          />
          {decode(state.input)}
          <ProofLine proof={state.proof} />
        </div>
      )}
    </>
  );
};

type AnswerProps = Pick<LookupFlowProps, 'field'> & {
  readonly answer: LookupAnswer;
  readonly proof: string | undefined;
};

const Answer = ({ field, answer, proof }: AnswerProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null);
  const focusHeading = useEffectEvent(({ id }: ProfileAnswer) => {
    const heading = place.current?.querySelector('h2');
    // A visitor who has begun to type another id is left alone.
    if (!heading || field.text !== id) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  // Not after the next paint: by then somebody may be in the field again, about to type.
  useLayoutEffect(() => {
    if (answer.kind !== 'found') return undefined;
    const { activeElement } = document;
    // In the frame, which lays the page out anyway; until then somebody may have gone to the field.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === activeElement) focusHeading(answer.profile);
    });
    return () => cancelAnimationFrame(frame);
  }, [answer]);

  return (
    <div ref={place} className={styles.place}>
      {answer.kind === 'found' ? (
        <ProfileCard key={answer.id} profile={answer.profile} />
      ) : (
        <NotFoundNotice {...answer} />
      )}
      {proof !== undefined && <ProofLine proof={proof} />}
    </div>
  );
};

type WaitingProps = {
  /** None yet, if a link waits. */
  readonly proofs: Proofs | undefined;
  readonly sending: boolean;
  readonly onCancel: () => void;
};

const Waiting = ({ proofs, sending, onCancel }: WaitingProps): ReactNode => {
  const share = useShare(sending ? undefined : proofs);
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
export const lookupFlow = { LookupFlow, decode, nameIn, noteOnId, plausibleId, readAnswer, submitId };
