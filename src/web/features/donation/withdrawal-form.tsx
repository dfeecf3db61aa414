import type { ReactNode } from 'react';
import { RECEIPT_PREFIX } from '#shared/receipt.ts';
import { askServer, fieldsOf } from '../../ask-server.ts';
import { useSendRequest, type ProvedRequest, type Send } from '../../proved-request.ts';
import { useErrorTexts, useTexts } from '../../environment.ts';
import type { Texts } from '../../texts/translation.ts';
import { SecretForm, type Accepted } from './secret-form.tsx';
import { seeThrough } from './see-through.ts';

export const withdrawToken =
  ({ done, failed, unreachable }: Texts['donation']['withdrawal']): Send<Accepted> =>
  ({ input, proof }, network) => {
    // Unless the server confirms that the token is gone, the donor should try again.
    const read = (body: unknown, { ok }: Response): Accepted | undefined => {
      const { message } = fieldsOf(body);
      return ok && typeof message === 'string' ? { kind: 'accepted', message: done } : undefined;
    };
    const field = input.toUpperCase().startsWith(RECEIPT_PREFIX) ? 'receipt' : 'token';
    const body = { [field]: input, proof };
    return askServer({ path: '/withdraw-token', body, read, failed, unreachable }, network);
  };

export const WithdrawalForm = ({ request }: { readonly request: ProvedRequest<Accepted> }): ReactNode => {
  const { withdrawal: texts } = useTexts('donation');
  const errors = useErrorTexts();
  useSendRequest(request, seeThrough(withdrawToken(texts)));
  return (
    <SecretForm
      request={request}
      check={(input) =>
        input === ''
          ? { type: 'invalid', cause: 'withdrawal-missing', message: errors['withdrawal-missing'] ?? '' }
          : { type: 'submitted', input }
      }
      texts={{ ...texts, placeholder: `${RECEIPT_PREFIX}-…` }}
    />
  );
};
