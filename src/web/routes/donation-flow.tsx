import type { ReactNode } from 'react';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { donateToken, type Accepted } from '../features/donation/donate-token.ts';
import { DonationDialog } from '../features/donation/donation-dialog.tsx';
import { useProvedRequest, useSending } from '../proved-request.ts';

/** A token donation from its form to its answer. */
export const DonationFlow = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const request = useProvedRequest<Accepted>();
  useSending(request, donateToken);
  return (
    <>
      <DonationDialog request={request} onClose={onClose} />
      <CaptchaDialog title="Verify your token donation" request={request} />
    </>
  );
};
