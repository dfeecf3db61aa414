import type { ReactNode } from 'react';
import type { Browser } from '../../browser.ts';
import { SecretForm, type SubmissionCaptcha } from './secret-form.tsx';
import { useSubmission } from './use-submission.ts';
import { withdrawToken } from './withdraw-token.ts';

type WithdrawalFormProps = {
  readonly browser: Browser;
  readonly renderCaptcha: (captcha: SubmissionCaptcha) => ReactNode;
};

const texts = {
  label: 'Receipt or bot token',
  placeholder: 'WD-…',
  hint: 'The answer is the same whether we had the token or not, so that nobody can find out what we have.',
  missing: 'Enter your receipt or the token that you want back.',
  submit: 'Withdraw',
  busy: 'Withdrawing…',
};

/** Takes a donated token out of the pool and the database. */
export const WithdrawalForm = ({ browser, renderCaptcha }: WithdrawalFormProps): ReactNode => {
  const submission = useSubmission(withdrawToken, browser.fetch);
  const { state, dispatch } = submission;
  return (
    <>
      <SecretForm submission={submission} texts={texts} after={browser.after} />
      {state.step === 'solving' &&
        renderCaptcha({
          title: 'Verify your withdrawal',
          onProof: (proof) => dispatch({ type: 'solved', proof }),
          onClose: () => dispatch({ type: 'captcha-closed' }),
        })}
    </>
  );
};
