import type { ReactNode } from 'react';
import { readBotTokenShape } from '#shared/bot-token-shape.ts';
import type { Donation } from '#shared/contract/donation.ts';
import { TOKEN_ERRORS } from '#shared/contract/errors.ts';
import { askServer, fieldsOf, type Unread } from '../../ask-server.ts';
import { useErrorTexts, useTexts, type ErrorTexts } from '../../environment.ts';
import type { ProvedRequest, Send, Submission } from '../../proved-request.ts';
import type { Texts } from '../../texts/translation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Rich } from '../../ui/prose.tsx';
import { LeavingQuestion, ReceiptView, useReceiptGuard } from './receipt-view.tsx';
import { SecretForm, type Accepted } from './secret-form.tsx';

export const donateToken =
  ({ saved, failed, unreachable }: Texts['donation']): Send<Accepted> =>
  ({ input: token, proof }, network) => {
    const read = (body: unknown, { ok }: Response): Accepted | undefined => {
      const { receipt }: Unread<Donation> = fieldsOf(body);
      return ok
        ? { kind: 'accepted', message: saved, ...(typeof receipt === 'string' && { receipt }) }
        : undefined;
    };
    return askServer({ path: '/donate-token', body: { token, proof }, read, failed, unreachable }, network);
  };

/** Whether it is a bot's token is for the server to say. But the token of a person's own account must never be sent. */
export const submitToken = (input: string, errors: ErrorTexts): Submission => {
  const shape = readBotTokenShape(input);
  if (shape.ok || shape.problem === 'not-a-token') return { type: 'submitted', input };
  const cause = TOKEN_ERRORS[shape.problem];
  return { type: 'invalid', cause, message: errors[cause] ?? '' };
};

type DonationDialogProps = {
  readonly request: ProvedRequest<Accepted>;
  readonly onClose: () => void;
};

export const DonationDialog = ({ request, onClose }: DonationDialogProps): ReactNode => {
  const texts = useTexts('donation');
  const errors = useErrorTexts();
  const { answer: accepted } = request;
  const guard = useReceiptGuard(accepted?.receipt, onClose);

  if (accepted === undefined)
    return (
      <Dialog title={texts.title} onClose={onClose}>
        <SecretForm
          request={request}
          check={(input) => submitToken(input, errors)}
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
      <Dialog title={texts.leaving.title} onClose={guard.close}>
        <LeavingQuestion onStay={guard.stay} onLeave={onClose} />
      </Dialog>
    );
  return (
    <Dialog
      title={accepted.receipt ? texts.receipt.title : texts.receipt.titleWithout}
      onClose={guard.close}
      guarded={accepted.late === true}
    >
      <ReceiptView accepted={accepted} saved={guard.saved} onSaved={guard.save} onDone={guard.close} />
    </Dialog>
  );
};
