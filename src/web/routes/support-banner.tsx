import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useEnvironment, useTexts, useWindowEvent } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { Button, ButtonLink, Link } from '../ui/button.tsx';
import { PartSlot, useLazyPart } from './lazy-part.tsx';
import styles from './lookup.module.css';

const importDonationFlow = async () => (await import('./donation-flow.tsx')).DonationFlow;

const DonationActions = ({ onDonate }: { readonly onDonate: () => void }): ReactNode => {
  const { howDonationsWork } = useTexts('lookup');
  const { donateToken } = useTexts('ui');
  return (
    <div className={`row ${styles.actions}`}>
      <Button onClick={onDonate}>{donateToken}</Button>
      <Link href="/token-donation" className="target">
        {howDonationsWork}
      </Link>
    </div>
  );
};

export const SupportBanner = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { site } = useEnvironment();
  const texts = useTexts('lookup');
  const { supportUs } = useTexts('frame');
  const [before, lead, more] = (site.tokenDonations ? texts.moneyAndTokens : texts.moneyOnly).split('**');
  return (
    <aside className={styles.banner} aria-label={texts.support}>
      <p className="quiet">
        {before}
        <strong>{lead}</strong>
        {more}
      </p>
      <div className={`row ${styles.actions}`}>
        <ButtonLink href="/donate">{supportUs}</ButtonLink>
        {children}
      </div>
    </aside>
  );
};

const DONATION_HASH = '#donate-token';

/** The address forgets the hash, so that the same link works again. */
const useDonateTokenHash = (onOpen: () => void): void => {
  const check = (): void => {
    if (location.hash !== DONATION_HASH) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    onOpen();
  };
  useWindowEvent('hashchange', check);
  const start = useEffectEvent(check);
  useEffect(() => start(), []);
};

export const useDonation = () => {
  const { tokenDonations } = useEnvironment().site;
  const { donationFailed } = useTexts('lookup');
  const { offline } = useTexts('ui');
  const [donating, setDonating] = useState(false);
  const flow = useLazyPart(importDonationFlow);

  const donate = (): void => {
    if (!tokenDonations) return;
    preloadAltcha();
    void flow.load();
    setDonating(true);
  };
  useDonateTokenHash(donate);
  return {
    onDonate: tokenDonations ? donate : undefined,
    actions: tokenDonations && <DonationActions onDonate={donate} />,
    dialog: (donating || flow.loaded) && (
      <PartSlot part={flow} failure={[donationFailed, offline]} onTryAgain={() => location.reload()}>
        {(DonationFlow) => <DonationFlow open={donating} onClose={() => setDonating(false)} />}
      </PartSlot>
    ),
  };
};
