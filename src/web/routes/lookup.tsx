import { useId, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { loadAltcha } from '../features/captcha/load-altcha.ts';
import { FailureNotice } from '../features/lookup/failure-notice.tsx';
import { LookupForm } from '../features/lookup/lookup-form.tsx';
import { NotFoundNotice } from '../features/lookup/not-found-notice.tsx';
import { useLookup } from '../features/lookup/use-lookup.ts';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import styles from './lookup.module.css';

/** Has the widget at hand before the captcha opens. A failure is told, and mended, there. */
const preloadCaptcha = (): void => void loadAltcha().catch(() => undefined);

export const LookupRoute = (): ReactNode => {
  const { site, browser } = useEnvironment();
  const { platformName } = site;
  const [lookup, dispatch] = useLookup({ platformName, fetch: browser.fetch });
  const failureId = useId();

  const answer = lookup.step === 'answered' ? lookup.answer : undefined;
  const failure = answer?.kind === 'failed' ? answer : undefined;

  return (
    <div className={styles.page}>
      <div>
        <h1>Look up a {platformName} profile</h1>
        <p className={styles.lead}>
          Enter a user ID to see the public profile behind it and when the account was created.
        </p>
      </div>
      <LookupForm
        site={site}
        busy={lookup.step === 'asking'}
        problem={failure?.reaction === 'mend-id' ? failure : undefined}
        problemId={failureId}
        onFocus={preloadCaptcha}
        onSubmit={(input) => dispatch({ type: 'submitted', input, platformName })}
      />
      {failure && (
        <FailureNotice
          failure={failure}
          id={failureId}
          onTryAgain={() => dispatch({ type: 'asked-again' })}
        />
      )}
      {answer?.kind === 'not-found' && <NotFoundNotice {...answer} platformName={platformName} />}
      <div role="status">{answer?.kind === 'found' && <ProfileCard profile={answer.profile} />}</div>
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
