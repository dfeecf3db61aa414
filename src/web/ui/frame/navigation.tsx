import type { ReactNode } from 'react';
import { useLocalPath, useTexts } from '../../environment.ts';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';

type NavigationProps = { readonly path: string; readonly tokenDonations: boolean };

const LIST_ID = 'links';

/** A row of links; where there is no room for it, a button that opens a list of them, see `menu-button.ts`. */
export const Navigation = ({ path, tokenDonations }: NavigationProps): ReactNode => {
  const texts = useTexts('frame');
  const localPath = useLocalPath();

  const link = (href: string, text: string): ReactNode => (
    <li>
      <a href={localPath(href)} aria-current={href === path ? 'page' : undefined}>
        {text}
      </a>
    </li>
  );

  return (
    <nav className={styles.nav} aria-label={texts.navigation}>
      <button
        type="button"
        className={styles.tool}
        aria-label={texts.menu}
        aria-expanded="false"
        aria-controls={LIST_ID}
      >
        <Icon name="menu" />
        <Icon name="close" />
      </button>
      <ul id={LIST_ID} className={styles.links}>
        {link('/', texts.lookup)}
        {tokenDonations && link('/token-donation', texts.tokenDonation)}
        {link('/donate', texts.supportUs)}
      </ul>
    </nav>
  );
};
