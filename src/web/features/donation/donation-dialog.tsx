import type { ReactNode } from 'react';
import type { Donation } from '#shared/contract/donation.ts';
import { DONATION_PROOF_MISSING, TOKEN_SAVED, tokenMissing } from '#shared/sentences.ts';
import { askServer, failureOf } from '../../ask-server.ts';
import { useEnvironment } from '../../environment.ts';
import { useSending, type ProvedRequest, type Send } from '../../proved-request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretForm, type Accepted } from './secret-form.tsx';

const read = (body: unknown, { ok }: Response): Accepted | undefined => {
  const { receipt } = (body ?? {}) as Partial<Donation>;
  return ok
    ? { kind: 'accepted', message: TOKEN_SAVED, ...(typeof receipt === 'string' && { receipt }) }
    : undefined;
};

export const donateToken: Send<Accepted> = async ({ input: token, proof }, network) =>
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

type DonationDialogProps = {
  readonly request: ProvedRequest<Accepted>;
  readonly onClose: () => void;
};

/** Mounted as long as it is open, so that closing it forgets the token. */
export const DonationDialog = ({ request, onClose }: DonationDialogProps): ReactNode => {
  const { platformName } = useEnvironment().site;
  useSending(request, donateToken);
  return (
    <Dialog title={`Donate a ${platformName} bot token`} onClose={onClose}>
      <SecretForm
        request={request}
        missing={{ type: 'refused', cause: 'token-missing', message: tokenMissing(platformName) }}
        texts={{
          label: 'Bot Token',
          placeholder: 'Paste your bot token',
          hint: 'Do not reuse an existing token, and do not add the bot to any server.',
          submit: 'Submit & Verify',
          busy: 'Verifying…',
        }}
        onCancel={onClose}
      >
        <p>
          The token is used only to look up profiles. {platformName} may terminate the application it belongs
          to, so make one for this and nothing else.
        </p>
      </SecretForm>
    </Dialog>
  );
};
