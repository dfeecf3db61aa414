import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import styles from './support-banner.module.css';

export const SupportBanner = (): ReactNode => {
  const { site } = useEnvironment();
  return (
    <aside className={styles.banner} aria-label="Support">
      <p>
        <strong>{site.brandName} lives on donations.</strong>{' '}
        {site.tokenDonations
          ? 'Money pays for the machine, donated bot tokens keep lookups going.'
          : 'Money pays for the machine that answers your lookups.'}
      </p>
      <ButtonLink href="/donate">Support us</ButtonLink>
    </aside>
  );
};
