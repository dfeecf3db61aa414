import { useDeferredValue, useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useEnvironment, useLocalPath, useTexts } from '../environment.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { ExampleCard } from '../features/lookup/example-card.tsx';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { keepsRecents } from '../features/recents/recents-key.ts';
import { SampleProfiles } from '../features/lookup/sample-profiles.tsx';
import { inputFailureOf, isBusy, type ProvedRequest } from '../proved-request.ts';
import { PartSlot, useLazyPart } from './lazy-part.tsx';
import styles from './lookup.module.css';
import { SupportBanner, useDonation } from './support-banner.tsx';
import { useLookup } from './use-lookup.ts';

const importRecents = async () => (await import('./recents-part.tsx')).RecentsPart;

export const LookupRoute = (): ReactNode => {
  const donation = useDonation();
  const submitButton = useRef<HTMLButtonElement>(null);
  const lookup = useLookup(() => submitButton.current?.focus({ preventScroll: true }));
  const { field, flow, request } = lookup;
  const pick = (id: string): void => {
    lookup.type(id);
    submitButton.current?.focus();
    void lookup.press(id);
  };
  const { state } = request;
  const recents = useRecents(request, pick);
  // The notice of an empty pool offers a donation already.
  const asksForTokens = request.failure?.cause === 'pool-empty';

  // What is wrong with an id is said at the field, which stays where it is.
  const atRest = (state.step === 'idle' || inputFailureOf(state) !== undefined) && !lookup.expected;
  return (
    <div className={atRest ? styles.rest : styles.result}>
      <LookupHeading hidden={!atRest} />
      <LookupForm
        text={field.text}
        bar={!atRest}
        busy={lookup.busy}
        waiting={lookup.wait.left > 0}
        problem={lookup.problem}
        note={lookup.note}
        submitButton={submitButton}
        onFocus={lookup.prepare}
        onType={lookup.type}
        onSubmit={(typed, atMs) => void lookup.press(typed, atMs)}
        decoded={atRest && flow.loaded?.decode(field.text)}
      />
      {atRest && (
        <>
          {donation.actions}
          <ExampleCard />
        </>
      )}
      <AnswerPlace lookup={lookup} submitButton={submitButton} onDonate={donation.onDonate} />
      {donation.dialog}
      {atRest && <SampleProfiles onPick={pick} />}
      <BelowLookup step={lookup.expected ? 'solving' : state.step} recents={recents}>
        {!atRest && !asksForTokens && donation.actions}
      </BelowLookup>
    </div>
  );
};

type AnswerPlaceProps = {
  readonly lookup: ReturnType<typeof useLookup>;
  readonly submitButton: { readonly current: HTMLButtonElement | null };
  readonly onDonate: (() => void) | undefined;
};

const AnswerPlace = ({ lookup, submitButton, onDonate }: AnswerPlaceProps): ReactNode => {
  const { linked } = useEnvironment().site;
  const localPath = useLocalPath();
  const texts = useTexts('lookup');
  const { field, flow, request, expected } = lookup;
  const { state } = request;
  const waitsFor = isBusy(state) ? state.input : expected && linked?.id;
  return (
    <PartSlot
      part={flow}
      failure={[texts.lookupFailed, texts.lookupOffline]}
      onTryAgain={() => location.assign(localPath(`/?id=${encodeURIComponent(field.text)}`))}
    >
      {({ LookupFlow, Waiting }) => (
        <>
          {!expected && (
            <LookupFlow
              {...lookup}
              onTryAgain={(input) => {
                // The pressed button goes away with the failure.
                submitButton.current?.focus();
                lookup.submit(input);
              }}
              onDonate={onDonate}
            />
          )}
          {waitsFor && (
            <Waiting
              key={waitsFor}
              share={lookup.share}
              sending={state.step === 'sending'}
              onCancel={() => request.dispatch({ type: 'abandoned' })}
            />
          )}
        </>
      )}
    </PartSlot>
  );
};

type BelowLookupProps = {
  readonly step: ProvedRequest<LookupAnswer>['state']['step'];
  readonly recents: ReactNode;
  readonly children: ReactNode;
};

/** Recent lookups come last while idle, so that nothing moves when they load; otherwise right below the answer. */
const BelowLookup = ({ step, recents, children }: BelowLookupProps): ReactNode => {
  const settled = step === 'idle' || step === 'answered';
  // Painted after the answer, which must not wait for it.
  const shown = useDeferredValue(settled) && settled;
  return (
    shown && (
      <div className={styles.below}>
        {step === 'answered' && recents}
        <SupportBanner>{children}</SupportBanner>
        {step === 'idle' && recents}
      </div>
    )
  );
};

const useRecents = (
  { state, answer }: ProvedRequest<LookupAnswer>,
  onPick: (id: string) => void,
): ReactNode => {
  const { loaded: RecentsPart, load } = useLazyPart(importRecents);
  const begun = state.step !== 'idle';
  const start = useEffectEvent(load);
  useEffect(() => {
    // Before there is an answer: later they would push down what is below it.
    if (begun || keepsRecents()) void start();
  }, [begun]);
  return (
    RecentsPart && (
      <RecentsPart found={answer?.kind === 'found' ? answer.profile : undefined} onPick={onPick} />
    )
  );
};

const LookupHeading = ({ hidden }: { readonly hidden: boolean }): ReactNode => {
  const { heading, headingNote } = useTexts('lookup');
  return (
    <section className={hidden ? 'hidden' : styles.heading}>
      <h1>{heading}</h1>
      <p>{headingNote}</p>
    </section>
  );
};
