import type { ReactNode } from 'react';
import { WITHDRAWAL_MISSING } from '#shared/sentences.ts';
import type { ProvedRequest } from '../../proved-request.ts';
import type { Accepted } from './donate-token.ts';
import { SecretForm } from './secret-form.tsx';

/** Takes a donated token out of the pool and the database. */
export const WithdrawalForm = ({ request }: { readonly request: ProvedRequest<Accepted> }): ReactNode => (
  <SecretForm
    request={request}
    missing={{ type: 'refused', cause: 'withdrawal-missing', message: WITHDRAWAL_MISSING }}
    texts={{
      label: 'Receipt or bot token',
      placeholder: 'WD-…',
      hint: 'The answer is the same whether we had the token or not, so that nobody can find out what we have.',
      submit: 'Withdraw',
      busy: 'Withdrawing…',
    }}
  />
);
