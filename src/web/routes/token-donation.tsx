import { useState, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import type { Accepted } from '../features/donation/secret-form.tsx';
import { WithdrawalForm } from '../features/donation/withdrawal-form.tsx';
import { useProvedRequest } from '../proved-request.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Prose, ProseSection, Rich, Section, Step } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';
import { DonationFlow } from './donation-flow.tsx';

export const TokenDonationRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return site.tokenDonations ? <TokenDonation /> : <NoTokenDonation />;
};

const NoTokenDonation = (): ReactNode => {
  const { closedTitle, notTaken, donatedEarlier } = useTexts('tokenDonation');
  const { backToLookup } = useTexts('ui');
  return (
    <TextPage title={closedTitle} lead={notTaken}>
      <p>{donatedEarlier}</p>
      <Withdrawal />
      <div>
        <ButtonLink href="/">{backToLookup}</ButtonLink>
      </div>
    </TextPage>
  );
};

const TokenDonation = (): ReactNode => {
  const { title, lead, risks, create, submit, why, trust, storage } = useTexts('tokenDonation');
  const { donateToken } = useTexts('ui');
  return (
    <TextPage title={title} lead={lead}>
      <ol className={styles.steps}>
        <Step number={1} title={create.title}>
          <Prose texts={create.texts} />
        </Step>
        <Step number={2} title={submit.title}>
          <p>{submit.text}</p>
          <p className="small">
            <Rich text={risks.brief} />
          </p>
          <DonationOpener label={donateToken} />
          <p className="small">{submit.receipt}</p>
        </Step>
      </ol>
      <ProseSection id="risks" title={risks.title} texts={risks.texts} />
      <ProseSection {...why} />
      <ProseSection {...trust} />
      <ProseSection id="storage" {...storage} />
      <Withdrawal />
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
      <DonationFlow open={donating} onClose={() => setDonating(false)} />
    </>
  );
};

const Withdrawal = (): ReactNode => {
  const request = useProvedRequest<Accepted>();
  const { withdraw } = useTexts('tokenDonation');
  const { captchaTitle } = useTexts('donation').withdrawal;
  return (
    <Section title={withdraw.title} id="withdraw">
      <p>{withdraw.text}</p>
      <noscript>
        <p>{withdraw.noScript}</p>
      </noscript>
      <div className={styles.wide} onFocus={preloadAltcha}>
        <WithdrawalForm request={request} />
        <CaptchaDialog title={captchaTitle} request={request} />
      </div>
    </Section>
  );
};
