import type { ReactNode } from 'react';
import { tokenMissing } from '#shared/sentences.ts';
import { useEnvironment } from '../../environment.ts';
import type { ProvedRequest } from '../../proved-request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Accepted } from './donate-token.ts';
import { SecretForm } from './secret-form.tsx';

type DonationDialogProps = {
  readonly request: ProvedRequest<Accepted>;
  readonly onClose: () => void;
};

/** Mounted as long as it is open, so that closing it forgets the token. */
export const DonationDialog = ({ request, onClose }: DonationDialogProps): ReactNode => {
  const { platformName } = useEnvironment().site;
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
