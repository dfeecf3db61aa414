import type { Donation } from '#shared/contract/donation.ts';
import { DONATION_PROOF_MISSING, TOKEN_SAVED } from '#shared/sentences.ts';
import { askServer, failureOf, type Failure, type Network } from '../../ask-server.ts';
import type { Proved } from '../../proved-request.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly message: string;
  /** What the donor can take the token back with. The server gives it this once. */
  readonly receipt?: string;
};

const read = (body: unknown, { ok }: Response): Accepted | undefined => {
  const { receipt } = (body ?? {}) as Partial<Donation>;
  return ok
    ? { kind: 'accepted', message: TOKEN_SAVED, ...(typeof receipt === 'string' && { receipt }) }
    : undefined;
};

export const donateToken = async (
  { input: token, proof }: Proved,
  network: Network,
): Promise<Accepted | Failure> =>
  proof === ''
    ? failureOf('donation-proof-missing', DONATION_PROOF_MISSING)
    : askServer(
        {
          path: '/donate-token',
          body: { token, proof },
          read,
          failed: 'Token donation failed.',
          unreachable: 'Unable to submit token right now.',
        },
        network,
      );
