import type { ReactNode } from 'react';
import { RECEIPT_PREFIX } from '#shared/receipt.ts';
import { WITHDRAWAL_MISSING } from '#shared/sentences.ts';
import { askServer } from '../../ask-server.ts';
import { useSending, type ProvedRequest, type Send } from '../../proved-request.ts';
import { withdrawalForm } from '../../texts/donation.ts';
import { SecretForm, type Accepted } from './secret-form.tsx';

/** Without the server's word that the token is gone, the donor had better try again. */
const read = (body: unknown, { ok }: Response): Accepted | undefined => {
  const { message } = (body ?? {}) as { message?: unknown };
  return ok && typeof message === 'string' ? { kind: 'accepted', message } : undefined;
};

export const withdrawToken: Send<Accepted> = ({ input, proof }, network) => {
  const field = input.toUpperCase().startsWith(RECEIPT_PREFIX) ? 'receipt' : 'token';
  const { failed, unreachable } = withdrawalForm;
  const body = { [field]: input, proof };
  return askServer({ path: '/withdraw-token', body, read, failed, unreachable }, network);
};

/** Takes a donated token out of the pool and the database. */
export const WithdrawalForm = ({ request }: { readonly request: ProvedRequest<Accepted> }): ReactNode => {
  useSending(request, withdrawToken);
  return (
    <SecretForm
      request={request}
      check={(input) =>
        input === ''
          ? { type: 'refused', cause: 'withdrawal-missing', message: WITHDRAWAL_MISSING }
          : { type: 'submitted', input }
      }
      texts={withdrawalForm}
    >
      {/* Only in the markup: the browser's code never shows it. */}
      <noscript>{import.meta.env.SSR && <p>{withdrawalForm.noScript}</p>}</noscript>
    </SecretForm>
  );
};
