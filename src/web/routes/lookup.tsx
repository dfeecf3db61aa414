import { useId, useReducer, useRef, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { foundIdOf, idFailureOf, idleLookup, nextLookupState } from '../features/lookup/lookup-state.ts';
import { TokenNotice } from '../features/lookup/token-notice.tsx';
import { useIdField } from '../features/lookup/use-id-field.ts';
import { useSharedId } from '../features/lookup/use-shared-id.ts';
import { LookupHero } from '../features/support/lookup-hero.tsx';
import { SupportBanner } from '../features/support/support-banner.tsx';
import styles from './lookup.module.css';
import { PartSlot } from './part-slot.tsx';
import { useDonationAddress } from './use-donation-address.ts';
import { usePart } from './use-part.ts';

const importLookupFlow = async () => (await import('./lookup-flow.tsx')).LookupFlow;
const importDonationFlow = async () => (await import('./donation-flow.tsx')).DonationFlow;

export const LookupRoute = (): ReactNode => {
  const environment = useEnvironment();
  const { platformName, tokenDonations, sampleIds } = environment.site;
  const field = useIdField();
  const [lookup, dispatch] = useReducer(nextLookupState, idleLookup);
  const lookupFlow = usePart(importLookupFlow);
  const [donating, setDonating] = useState(false);
  const donationFlow = usePart(importDonationFlow);
  const submitButton = useRef<HTMLButtonElement>(null);
  const failureId = useId();

  const donate = (): void => {
    if (!tokenDonations) return;
    preloadAltcha();
    donationFlow.load();
    setDonating(true);
  };
  const onDonate = tokenDonations ? donate : undefined;
  useDonationAddress(donate);
  useSharedId({ foundId: foundIdOf(lookup), onOpen: field.type });

  return (
    <div className={styles.page}>
      <LookupHero onDonate={donate} />
      <LookupForm
        platformName={platformName}
        sampleIds={sampleIds}
        text={field.text}
        busy={lookup.step === 'asking'}
        problem={idFailureOf(lookup)}
        problemId={failureId}
        submitButton={submitButton}
        onFocus={() => {
          preloadAltcha();
          lookupFlow.load();
        }}
        onType={field.type}
        onSubmit={() => {
          lookupFlow.load();
          dispatch({ type: 'submitted', input: field.text, platformName });
        }}
      />
      {field.tokenSeen && <TokenNotice onDonate={onDonate} />}
      {lookup.step !== 'idle' && (
        <PartSlot part={lookupFlow} failure="Unable to complete lookup.">
          {(LookupFlow) => (
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
            >
              <SupportBanner />
            </LookupFlow>
          )}
        </PartSlot>
      )}
      {donating && (
        <PartSlot part={donationFlow} failure="Unable to open the donation form.">
          {(DonationFlow) => <DonationFlow environment={environment} onClose={() => setDonating(false)} />}
        </PartSlot>
      )}
      {(lookup.step === 'idle' || lookupFlow.loaded === undefined) && <SupportBanner />}
    </div>
  );
};
