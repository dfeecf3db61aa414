import type { ReactNode } from 'react';
import { useEnvironment, useLocalPath, useTexts } from '../environment.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import styles from './lookup.module.css';

/** To lend a token, and what that means. In the hero; next to an answer, which takes its place, in the banner. */
export const DonationActions = ({ onDonate }: { readonly onDonate: () => void }): ReactNode => {
  const { howDonationsWork } = useTexts('lookup');
  const { donateToken } = useTexts('ui');
  const localPath = useLocalPath();
  return (
    <div className={styles.actions}>
      <Button look="quiet" onClick={onDonate}>
        {donateToken}
      </Button>
      <a href={localPath('/token-donation')}>{howDonationsWork}</a>
    </div>
  );
};

/** What the site lives on: tokens and money. */
export const SupportBanner = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { site } = useEnvironment();
  const texts = useTexts('lookup');
  const { supportUs } = useTexts('frame');
  return (
    <aside className={styles.banner} aria-label={texts.support}>
      <p>
        <strong>{texts.runsOnDonations}</strong>{' '}
        {site.tokenDonations ? texts.moneyAndTokens : texts.moneyOnly}
      </p>
      <div className={styles.actions}>
        <ButtonLink href="/donate">{supportUs}</ButtonLink>
        {children}
      </div>
    </aside>
  );
};
