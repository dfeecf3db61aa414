import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { loadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput } from '../features/lookup/id-input.ts';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { TokenNotice } from '../features/lookup/token-notice.tsx';
import { useLookup } from '../features/lookup/use-lookup.ts';
import { useSharedId } from '../features/lookup/use-shared-id.ts';
import styles from './lookup.module.css';

const loadOutcome = async () => ({ default: (await import('./lookup-outcome.tsx')).LookupOutcome });
const LookupOutcome = lazy(loadOutcome);

/** Has at hand what a lookup needs before it starts. A failure is told, and mended, there. */
const preload = (): void => {
  for (const load of [loadAltcha, loadOutcome]) load().catch(() => undefined);
};

export const LookupRoute = (): ReactNode => {
  const environment = useEnvironment();
  const { site, browser } = environment;
  const { platformName } = site;
  const [lookup, dispatch] = useLookup({ platformName, fetch: browser.fetch });
  const [text, setText] = useState('');
  const [tokenSeen, setTokenSeen] = useState(false);
  const submitButton = useRef<HTMLButtonElement>(null);
  const failureId = useId();

  const type = (typed: string): void => {
    const input = readIdInput(typed);
    setTokenSeen(input.kind === 'bot-token');
    setText(input.kind === 'text' ? input.text : '');
  };

  const answer = lookup.step === 'answered' ? lookup.answer : undefined;
  useSharedId({
    foundId: lookup.step === 'answered' && answer?.kind === 'found' ? lookup.id : undefined,
    onOpen: (id) => {
      type(id);
      dispatch({ type: 'left' });
    },
  });

  return (
    <div className={styles.page}>
      <LookupForm
        site={site}
        text={text}
        busy={lookup.step === 'asking'}
        problem={answer?.kind === 'failed' && answer.reaction === 'mend-id' ? answer : undefined}
        problemId={failureId}
        submitButton={submitButton}
        onFocus={preload}
        onType={type}
        onSubmit={() => dispatch({ type: 'submitted', input: text, platformName })}
      />
      {tokenSeen && <TokenNotice onDonate={undefined} />}
      {lookup.step !== 'idle' && (
        <Suspense fallback={null}>
          <LookupOutcome
            lookup={lookup}
            environment={environment}
            failureId={failureId}
            onTryAgain={() => {
              // The pressed button goes away with the failure.
              submitButton.current?.focus();
              dispatch({ type: 'asked-again' });
            }}
            onDonate={undefined}
          />
        </Suspense>
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
