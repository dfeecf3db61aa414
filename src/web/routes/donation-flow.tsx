import type { ReactNode } from 'react';
import type { Environment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { DonationDialog } from '../features/donation/donation-dialog.tsx';

type DonationFlowProps = { readonly environment: Environment; readonly onClose: () => void };

/** A token donation from its form to its answer. */
export const DonationFlow = ({ environment, onClose }: DonationFlowProps): ReactNode => {
  const { site, browser } = environment;
  return (
    <DonationDialog
      platformName={site.platformName}
      browser={browser}
      onClose={onClose}
      renderCaptcha={(captcha) => <CaptchaDialog {...captcha} browser={browser} />}
    />
  );
};
