import type { ReactNode } from 'react';
import { readBotTokenShape } from '#shared/bot-token-shape.ts';
import type { Donation } from '#shared/contract/donation.ts';
import { TOKEN_ERRORS } from '#shared/contract/errors.ts';
import { TOKEN_SAVED, tokenProblem } from '#shared/sentences.ts';
import type { Site } from '#shared/site.ts';
import { askServer } from '../../ask-server.ts';
import { useEnvironment } from '../../environment.ts';
import { useSending, type ProvedRequest, type Send, type Submission } from '../../proved-request.ts';
import { donationForm, donationTexts, leavingQuestion, receiptView } from '../../texts/donation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Rich } from '../../ui/prose.tsx';
import { LeavingQuestion, ReceiptView, useReceiptGuard } from './receipt-view.tsx';
import { SecretForm, type Accepted } from './secret-form.tsx';

const read = (body: unknown, { ok }: Response): Accepted | undefined => {
  const { receipt } = (body ?? {}) as Partial<Donation>;
  return ok
    ? { kind: 'accepted', message: TOKEN_SAVED, ...(typeof receipt === 'string' && { receipt }) }
    : undefined;
};

export const donateToken: Send<Accepted> = ({ input: token, proof }, network) =>
  askServer({ path: '/donate-token', body: { token, proof }, read, ...donationTexts }, network);

/** What cannot be a bot's token is not worth a captcha. */
export const submitToken = (input: string, { platformName }: Site): Submission => {
  const shape = readBotTokenShape(input);
  if (shape.ok) return { type: 'submitted', input };
  const { problem } = shape;
  return { type: 'refused', cause: TOKEN_ERRORS[problem], message: tokenProblem(problem, platformName) };
};

type DonationDialogProps = {
  readonly request: ProvedRequest<Accepted>;
  readonly onClose: () => void;
};

/** Mounted as long as it is open, so that closing it forgets the token. */
export const DonationDialog = ({ request, onClose }: DonationDialogProps): ReactNode => {
  const { site } = useEnvironment();
  const texts = donationForm(site);
  const { state } = request;
  useSending(request, donateToken);
  const accepted = state.step === 'answered' && state.answer.kind === 'accepted' ? state.answer : undefined;
  const guard = useReceiptGuard(accepted?.receipt, onClose);

  if (accepted === undefined)
    return (
      <Dialog title={texts.title} onClose={onClose}>
        <SecretForm
          request={request}
          check={(input) => submitToken(input, site)}
          texts={texts}
          // After the field: a link before it would have the focus.
          warning={<Rich text={texts.risk} />}
          onCancel={onClose}
        >
          <p>{texts.note}</p>
        </SecretForm>
      </Dialog>
    );
  if (guard.asking)
    return (
      <Dialog title={leavingQuestion.title} onClose={guard.close}>
        <LeavingQuestion onStay={guard.stay} onLeave={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={accepted.receipt ? receiptView.title : receiptView.titleWithout} onClose={guard.close}>
      <ReceiptView accepted={accepted} saved={guard.saved} onSaved={guard.save} onDone={guard.close} />
    </Dialog>
  );
};
