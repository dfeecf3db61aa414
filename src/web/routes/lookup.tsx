import { useId, useReducer, useRef, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { loadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput } from '../features/lookup/id-input.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { idleLookup, nextLookupState } from '../features/lookup/lookup-state.ts';
import { TokenNotice } from '../features/lookup/token-notice.tsx';
import { useSharedId } from '../features/lookup/use-shared-id.ts';
import { LookupHero } from '../features/support/lookup-hero.tsx';
import { SupportBanner } from '../features/support/support-banner.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './lookup.module.css';
import { useDonationAddress } from './use-donation-address.ts';
import { usePart } from './use-part.ts';

const importLookupFlow = async () => (await import('./lookup-flow.tsx')).LookupFlow;
const importDonationFlow = async () => (await import('./donation-flow.tsx')).DonationFlow;

/** Has the widget at hand before the captcha opens. A failure is told, and mended, there. */
const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);

export const LookupRoute = (): ReactNode => {
  const environment = useEnvironment();
  const { platformName, tokenDonations, sampleIds } = environment.site;
  const [lookup, dispatch] = useReducer(nextLookupState, idleLookup);
  const [text, setText] = useState('');
  const [tokenSeen, setTokenSeen] = useState(false);
  const [donating, setDonating] = useState(false);
  const { loaded: LookupFlow, ...lookupFlow } = usePart(importLookupFlow);
  const { loaded: DonationFlow, ...donationFlow } = usePart(importDonationFlow);
  const submitButton = useRef<HTMLButtonElement>(null);
  const failureId = useId();

  const type = (typed: string): void => {
    const input = readIdInput(typed);
    setTokenSeen(input.kind === 'bot-token');
    setText(input.kind === 'text' ? input.text : '');
  };
  const donate = (): void => {
    if (!tokenDonations) return;
    preloadAltcha();
    donationFlow.load();
    setDonating(true);
  };
  const onDonate = tokenDonations ? donate : undefined;

  const answer = lookup.step === 'answered' ? lookup.answer : undefined;
  useDonationAddress(donate);
  useSharedId({
    foundId: lookup.step === 'answered' && answer?.kind === 'found' ? lookup.id : undefined,
    onOpen: type,
  });

  return (
    <div className={styles.page}>
      <LookupHero onDonate={donate} />
      <LookupForm
        platformName={platformName}
        sampleIds={sampleIds}
        text={text}
        busy={lookup.step === 'asking'}
        problem={answer?.kind === 'failed' && answer.reaction === 'mend-id' ? answer : undefined}
        problemId={failureId}
        submitButton={submitButton}
        onFocus={() => {
          preloadAltcha();
          lookupFlow.load();
        }}
        onType={type}
        onSubmit={() => {
          lookupFlow.load();
          dispatch({ type: 'submitted', input: text, platformName });
        }}
      />
      {tokenSeen && <TokenNotice onDonate={onDonate} />}
      {lookup.step !== 'idle' && LookupFlow && (
        <LookupFlow
          lookup={lookup}
          dispatch={dispatch}
          environment={environment}
          failureId={failureId}
          onTryAgain={() => {
            // The pressed button goes away with the failure.
            submitButton.current?.focus();
            dispatch({ type: 'asked-again' });
          }}
          onDonate={onDonate}
        />
      )}
      {lookup.step !== 'idle' && lookupFlow.failed && <PartMissing what="Unable to complete lookup." />}
      {donating && DonationFlow && (
        <DonationFlow environment={environment} onClose={() => setDonating(false)} />
      )}
      {donating && donationFlow.failed && <PartMissing what="Unable to open the donation form." />}
      <SupportBanner />
    </div>
  );
};

const PartMissing = ({ what }: { readonly what: string }): ReactNode => (
  <Notice tone="error">
    <p>{what}</p>
    <p>A part of this page could not be loaded. Check your connection and try again.</p>
  </Notice>
);
