import { PROOF_MISSING } from '#shared/sentences.ts';
import { askServer, failureOf, type Failure, type Network } from '../../ask-server.ts';
import type { Proved } from '../../proved-request.ts';
import type { Accepted } from './donate-token.ts';

/** No bot token begins like this: theirs begins with digits in base 64. */
const RECEIPT = /^WD/i;

/** Without the server's word that the token is gone, the donor had better try again. */
const read = (body: unknown, { ok }: Response): Accepted | undefined => {
  const { message } = (body ?? {}) as { message?: unknown };
  return ok && typeof message === 'string' ? { kind: 'accepted', message } : undefined;
};

export const withdrawToken = async (
  { input, proof }: Proved,
  network: Network,
): Promise<Accepted | Failure> =>
  proof === ''
    ? failureOf('proof-missing', PROOF_MISSING)
    : askServer(
        {
          path: '/withdraw-token',
          body: { [RECEIPT.test(input) ? 'receipt' : 'token']: input, proof },
          read,
          failed: 'Withdrawal failed.',
          unreachable: 'Unable to withdraw the token right now.',
        },
        network,
      );
