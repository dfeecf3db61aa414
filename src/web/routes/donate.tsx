import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { ContactAddress } from '../features/contact/contact-address.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Section, TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';

export const DonateRoute = (): ReactNode => {
  const { site } = useEnvironment();
  const { host } = new URL(site.publicUrl);
  return (
    <TextPage
      title="Support us"
      lead={`${site.brandName} is free and shows no advertisements. Donations pay for the machine it runs on.`}
    >
      <div>
        <ButtonLink href={site.paymentUrl} look="primary">
          Donate now
        </ButtonLink>
      </div>
      <Section title="Your own vanity link">
        <p>
          Donate {site.vanityMinEur} EUR or more and you may ask for a custom vanity link:{' '}
          <code className={styles.example}>{host}/yourname</code>, a short address that redirects to the
          invite of your server.
        </p>
        <p>
          The name is up to you: two to 32 letters, digits and hyphens, as long as it is free. Please use an
          invite that does not expire. We check once a day that it still leads to the same server; if not, the
          link is paused until you have written to us.
        </p>
      </Section>
      <Section title="After you donate">
        <p>
          Please <a href="/contact">send us an e-mail</a> with the name you would like, the invite it should
          lead to, and the name or time of your donation so that we can find it. We know nothing of your
          donation otherwise.
        </p>
        <ContactAddress />
      </Section>
      {site.tokenDonations && (
        <Section title="No money to spare?">
          <p>
            A bot token helps just as much: see <a href="/token-donation">how token donations work</a>.
          </p>
        </Section>
      )}
    </TextPage>
  );
};
