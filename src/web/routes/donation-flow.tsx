import type { ReactNode } from 'react';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { DonationDialog } from '../features/donation/donation-dialog.tsx';
import type { Accepted } from '../features/donation/secret-form.tsx';
import { useProvedRequest } from '../proved-request.ts';
import { useTexts } from '../environment.ts';

export const DonationFlow = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const request = useProvedRequest<Accepted>();
  return (
    <>
      <DonationDialog request={request} onClose={onClose} />
      <CaptchaDialog title={useTexts('donation').captchaTitle} request={request} />
    </>
  );
};
