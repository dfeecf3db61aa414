import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import {
  readIdInput,
  submitId,
  TokenNotice,
  useIdField,
  type DonationOffer,
} from '../features/lookup/id-field.tsx';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { foundIdOf, useSharedId } from '../features/lookup/use-shared-id.ts';
import { importAgain } from '../import-again.ts';
import { inputFailureOf, useProvedRequest } from '../proved-request.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { PartSlot, useLazyPart } from './lazy-part.tsx';
import styles from './lookup.module.css';

const importLookupFlow = async () => (await importAgain(() => import('./lookup-flow.tsx'))).LookupFlow;
const importDonationFlow = async () => (await importAgain(() => import('./donation-flow.tsx'))).DonationFlow;

export const LookupRoute = (): ReactNode => {
  const { platformName, tokenDonations } = useEnvironment().site;
  const field = useIdField();
  const request = useProvedRequest<LookupAnswer>();
  const { state: lookup, dispatch } = request;
  const lookupFlow = useLazyPart(importLookupFlow);
  const [donating, setDonating] = useState(false);
  const donationFlow = useLazyPart(importDonationFlow);
  const submitButton = useRef<HTMLButtonElement>(null);
  const failureId = useId();
  const cancelled = 'cancelled' in lookup && lookup.cancelled;

  const donate = (): void => {
    if (!tokenDonations) return;
    preloadAltcha();
    donationFlow.load();
    setDonating(true);
  };
  const onDonate = tokenDonations ? donate : undefined;
  useDonateTokenHash(donate);
  useSharedId(foundIdOf(lookup), field.open);

  return (
    <div className={styles.page}>
      <LookupHeading onDonate={onDonate} />
      <LookupForm
        text={field.text}
        busy={lookup.step === 'sending'}
        problem={inputFailureOf(lookup)}
        problemId={failureId}
        submitButton={submitButton}
        mayRepeat={cancelled}
        onFocus={() => {
          preloadAltcha();
          lookupFlow.load();
        }}
        onType={field.type}
        onSubmit={(typed) => {
          const { text, tokenSeen } = readIdInput(typed);
          if (tokenSeen) return;
          lookupFlow.load();
          dispatch(submitId(text, platformName));
        }}
      />
      <VisuallyHidden live>{cancelled && 'Lookup cancelled.'}</VisuallyHidden>
      {field.tokenSeen && <TokenNotice onDonate={onDonate} />}
      {lookup.step !== 'idle' && (
        <PartSlot part={lookupFlow} failure="Unable to complete lookup.">
          {(LookupFlow) => (
            <LookupFlow
              request={request}
              failureId={failureId}
              onTryAgain={(input) => {
                // The pressed button goes away with the failure.
                submitButton.current?.focus();
                dispatch({ type: 'submitted', input });
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
          {(DonationFlow) => <DonationFlow onClose={() => setDonating(false)} />}
        </PartSlot>
      )}
      {(lookup.step === 'idle' || lookupFlow.loaded === undefined) && <SupportBanner />}
    </div>
  );
};

const DONATION_HASH = '#donate-token';

/** Calls `onOpen` when somebody comes to `/#donate-token`. The address forgets it, so that the same link works again. */
const useDonateTokenHash = (onOpen: () => void): void => {
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const check = (): void => {
      if (location.hash !== DONATION_HASH) return;
      history.replaceState(history.state, '', location.pathname + location.search);
      opened();
    };
    check();
    addEventListener('hashchange', check);
    return () => removeEventListener('hashchange', check);
  }, []);
};

/** Says what the page does. The form below it is the centre of the page, so this stays small. */
const LookupHeading = ({ onDonate }: DonationOffer): ReactNode => (
  <section className={styles.heading}>
    <h1>Look up a {useEnvironment().site.platformName} profile</h1>
    <p>See the public profile behind a user ID, and when the account was created.</p>
    {onDonate && (
      <div className={styles.actions}>
        <Button look="quiet" onClick={onDonate}>
          Donate a bot token
        </Button>
        <a href="/token-donation">How token donations work</a>
      </div>
    )}
  </section>
);

const SupportBanner = (): ReactNode => {
  const { site } = useEnvironment();
  return (
    <aside className={styles.banner} aria-label="Support">
      <p>
        <strong>{site.brandName} lives on donations.</strong>{' '}
        {site.tokenDonations
          ? 'Money pays for the machine, donated bot tokens keep lookups going.'
          : 'Money pays for the machine that answers your lookups.'}
      </p>
      <ButtonLink href="/donate">Support us</ButtonLink>
    </aside>
  );
};
