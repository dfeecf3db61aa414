import { useDeferredValue, useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useLocalPath, useTexts } from '../environment.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { ExampleCard } from '../features/lookup/example-card.tsx';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { keepsRecents } from '../features/recents/recents-key.ts';
import { MoreSamples, SampleProfiles } from '../features/lookup/sample-profiles.tsx';
import { isBusy, problemOf, type ProvedRequest } from '../proved-request.ts';
import { PartSlot, useLazyPart } from './lazy-part.tsx';
import styles from './lookup.module.css';
import { SupportBanner, useDonation } from './support-banner.tsx';
import { useLookup, type LookupFlow } from './use-lookup.ts';

const importRecents = async () => (await import('./recents-part.tsx')).RecentsPart;

/** What is wrong with an ID is said at the field, which stays where it is. */
const isAtRest = (state: ProvedRequest<LookupAnswer>['state']): boolean =>
  state.step !== 'answered' &&
  !isBusy(state) &&
  (state.step !== 'refused' || state.failure === problemOf(state));

export const LookupRoute = ({ flow }: { readonly flow?: LookupFlow }): ReactNode => {
  const donation = useDonation();
  const submitButton = useRef<HTMLButtonElement>(null);
  const lookup = useLookup(flow, () => submitButton.current?.focus({ preventScroll: true }));
  const { field, request, expected } = lookup;
  const { state } = request;
  const pick = (id: string): void => {
    lookup.type(id);
    submitButton.current?.focus();
    lookup.press(id);
  };
  const recents = useRecents(request, pick);
  // The notice of an empty pool offers a donation already.
  const asksForTokens = request.failure?.cause === 'pool-empty';

  const atRest = !expected && isAtRest(state);
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
        onLeave={lookup.leave}
        onType={lookup.type}
        onSubmit={lookup.press}
        decoded={atRest && lookup.flow.loaded?.decode(field.text)}
      />
      {atRest && (
        <>
          <SampleProfiles onPick={pick} />
          {donation.actions}
          <ExampleCard />
        </>
      )}
      <AnswerPlace lookup={lookup} submitButton={submitButton} onDonate={donation.onDonate} />
      {donation.dialog}
      {atRest && <MoreSamples onPick={pick} />}
      <BelowLookup settled={!isBusy(state) && !expected} recents={recents} recentsFirst={!atRest}>
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
  const localPath = useLocalPath();
  const { lookupFailed } = useTexts('lookup');
  const { offline } = useTexts('ui');
  return (
    <PartSlot
      part={lookup.flow}
      failure={[lookupFailed, offline]}
      onTryAgain={() => location.assign(localPath(`/?id=${encodeURIComponent(lookup.field.text)}`))}
    >
      {({ LookupFlow }) => (
        <LookupFlow
          {...lookup}
          onTryAgain={(input) => {
            // The pressed button goes away with the failure.
            submitButton.current?.focus();
            lookup.tryAgain(input);
          }}
          onDonate={onDonate}
        />
      )}
    </PartSlot>
  );
};

type BelowLookupProps = {
  readonly settled: boolean;
  readonly recents: ReactNode;
  readonly recentsFirst: boolean;
  readonly children: ReactNode;
};

/** Recent lookups come last at rest, so that nothing moves when they load; otherwise right below the answer. */
const BelowLookup = ({ settled, recents, recentsFirst, children }: BelowLookupProps): ReactNode => {
  // Painted after the answer, which must not wait for it.
  const shown = useDeferredValue(settled) && settled;
  return (
    shown && (
      <div className={styles.below}>
        {recentsFirst && recents}
        <SupportBanner>{children}</SupportBanner>
        {!recentsFirst && recents}
      </div>
    )
  );
};

const useRecents = (
  { state, answer }: ProvedRequest<LookupAnswer>,
  onPick: (id: string) => void,
): ReactNode => {
  const { loaded: RecentsPart, load } = useLazyPart(importRecents);
  const begun = state.step !== 'rest';
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
