import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { donateToken } from './donate-token.ts';
import { SecretForm, type SubmissionCaptcha } from './secret-form.tsx';
import { useSubmission } from './use-submission.ts';

type DonationDialogProps = {
  readonly platformName: string;
  readonly browser: Browser;
  readonly onClose: () => void;
  /** A captcha dialog, shown on top of this one. */
  readonly renderCaptcha: (captcha: SubmissionCaptcha) => ReactNode;
};

const textsFor = (platformName: string) => ({
  label: 'Bot Token',
  placeholder: 'Paste your bot token',
  hint: 'Do not reuse an existing token, and do not add the bot to any server.',
  missing: `Enter a ${platformName} bot token before submitting.`,
  submit: 'Submit & Verify',
  busy: 'Verifying…',
});

/** Mounted as long as it is open, so that closing it forgets the token. */
export const DonationDialog = (props: DonationDialogProps): ReactNode => {
  const { platformName, browser, onClose, renderCaptcha } = props;
  const submission = useSubmission(donateToken, browser.fetch);
  const { state, dispatch } = submission;

  return (
    <>
      <Dialog title={`Donate a ${platformName} bot token`} onClose={onClose}>
        <SecretForm
          submission={submission}
          texts={textsFor(platformName)}
          after={browser.after}
          onCancel={onClose}
        >
          <p>
            The token is used only to look up profiles. {platformName} may terminate the application it
            belongs to, so make one for this and nothing else.
          </p>
        </SecretForm>
      </Dialog>
      {state.step === 'solving' &&
        renderCaptcha({
          title: 'Verify your token donation',
          onProof: (proof) => dispatch({ type: 'solved', proof }),
          onClose: () => dispatch({ type: 'captcha-closed' }),
        })}
    </>
  );
};
