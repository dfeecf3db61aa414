import { useState, type ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import { useEnvironment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import type { Accepted } from '../features/donation/secret-form.tsx';
import { WithdrawalForm } from '../features/donation/withdrawal-form.tsx';
import { useProvedRequest } from '../proved-request.ts';
import { withdrawalForm } from '../texts/donation.ts';
import { BACK } from '../texts/pages/not-found.ts';
import {
  leaving,
  noTokenDonation,
  TOKEN_DONATION_TITLE,
  tokenDonation,
} from '../texts/pages/token-donation.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Prose, ProseSection } from '../ui/prose.tsx';
import { Section, Step, TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';
import { DonationFlow } from './donation-flow.tsx';

export const TokenDonationRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return site.tokenDonations ? <TokenDonation site={site} /> : <NoTokenDonation />;
};

const NoTokenDonation = (): ReactNode => (
  <TextPage title={TOKEN_DONATION_TITLE} lead={noTokenDonation.lead}>
    <p>{noTokenDonation.earlier}</p>
    <Leaving />
    <div>
      <ButtonLink href="/">{BACK}</ButtonLink>
    </div>
  </TextPage>
);

const TokenDonation = ({ site }: { readonly site: Site }): ReactNode => {
  const { lead, risks, create, submit, why, trust, keeping } = tokenDonation(site);
  return (
    <TextPage title={TOKEN_DONATION_TITLE} lead={lead}>
      <ProseSection {...risks} />
      <ol className={styles.steps}>
        <Step number={1} title={create.title}>
          <Prose texts={create.texts} />
        </Step>
        <Step number={2} title={submit.title}>
          <Prose texts={submit.texts} />
          <DonationOpener label={submit.open} />
        </Step>
      </ol>
      <ProseSection {...why} />
      <ProseSection {...trust} />
      <ProseSection {...keeping} />
      <Leaving />
    </TextPage>
  );
};

const DonationOpener = ({ label }: { readonly label: string }): ReactNode => {
  const [donating, setDonating] = useState(false);
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          preloadAltcha();
          setDonating(true);
        }}
      >
        {label}
      </Button>
      {donating && <DonationFlow onClose={() => setDonating(false)} />}
    </>
  );
};

const Leaving = (): ReactNode => {
  const request = useProvedRequest<Accepted>();
  return (
    <Section title={leaving.title}>
      <p>{leaving.text}</p>
      <noscript>
        <p>{leaving.noScript}</p>
      </noscript>
      <div className={styles.wide} onFocus={preloadAltcha}>
        <WithdrawalForm request={request} />
        <CaptchaDialog title={withdrawalForm.captchaTitle} request={request} />
      </div>
    </Section>
  );
};
