import { useId, useRef, useState, type ReactNode } from 'react';
import { useLocalPath, useTexts } from '../../environment.ts';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';

type NavigationProps = { readonly path: string; readonly tokenDonations: boolean };

/** A row of links; where there is no room for it, a button that opens a list of them. */
export const Navigation = ({ path, tokenDonations }: NavigationProps): ReactNode => {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const listId = useId();
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
    <nav
      className={styles.nav}
      aria-label={texts.navigation}
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return;
        setOpen(false);
        toggle.current?.focus();
      }}
    >
      <button
        ref={toggle}
        type="button"
        className={styles.tool}
        aria-label={texts.menu}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'close' : 'menu'} />
      </button>
      <ul id={listId} className={styles.links}>
        {link('/', texts.lookup)}
        {tokenDonations && link('/token-donation', texts.tokenDonation)}
        {link('/donate', texts.supportUs)}
      </ul>
    </nav>
  );
};
