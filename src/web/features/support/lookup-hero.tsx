import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { Button } from '../../ui/button.tsx';
import styles from './lookup-hero.module.css';

type LookupHeroProps = { readonly onDonate: () => void };

/** Says what the page does. The form below it is the centre of the page, so this stays small. */
export const LookupHero = ({ onDonate }: LookupHeroProps): ReactNode => {
  const { site } = useEnvironment();
  return (
    <section className={styles.hero}>
      <h1>Look up a {site.platformName} profile</h1>
      <p>See the public profile behind a user ID, and when the account was created.</p>
      {site.tokenDonations && (
        <div className={styles.actions}>
          <Button look="quiet" onClick={onDonate}>
            Donate a bot token
          </Button>
          <a href="/token-donation">How token donations work</a>
        </div>
      )}
    </section>
  );
};
