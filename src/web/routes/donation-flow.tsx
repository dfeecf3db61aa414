import { useState, type ReactNode } from 'react';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { DonationDialog, donateToken } from '../features/donation/donation-dialog.tsx';
import type { Accepted } from '../features/donation/secret-form.tsx';
import { seeThrough } from '../features/donation/see-through.ts';
import { useProvedRequest, useSendRequest } from '../proved-request.ts';
import { useTexts } from '../environment.ts';

type DonationProps = {
  readonly accepted?: Accepted | undefined;
  readonly onClose: () => void;
  readonly onLate?: (accepted: Accepted) => void;
};

/** Mounted as long as its dialog is open, so that closing it forgets the token. */
const Donation = ({ accepted, onClose, onLate }: DonationProps): ReactNode => {
  const texts = useTexts('donation');
  const request = useProvedRequest<Accepted>(accepted && { step: 'answered', answer: accepted });
  useSendRequest(request, seeThrough(donateToken(texts), onLate));
  return (
    <>
      <DonationDialog request={request} onClose={onClose} />
      <CaptchaDialog title={texts.captchaTitle} request={request} />
    </>
  );
};

type DonationFlowProps = { readonly open: boolean; readonly onClose: () => void };

/** Stays when its dialog is closed: a token that was being sent comes back with its receipt. */
export const DonationFlow = ({ open, onClose }: DonationFlowProps): ReactNode => {
  const [late, setLate] = useState<readonly Accepted[]>([]);
  const [seen, setSeen] = useState(0);
  return (
    <>
      {open && (
        <Donation onClose={onClose} onLate={(accepted) => setLate((others) => [...others, accepted])} />
      )}
      {late.length > seen && <Donation key={seen} accepted={late[seen]} onClose={() => setSeen(seen + 1)} />}
    </>
  );
};
