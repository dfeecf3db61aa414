import { useId, useRef, useState, type ReactNode } from 'react';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';

type NavigationProps = { readonly path: string; readonly tokenDonations: boolean };

/** A row of links; where there is no room for it, a button that opens a list of them. */
export const Navigation = ({ path, tokenDonations }: NavigationProps): ReactNode => {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const listId = useId();

  const link = (href: string, text: string): ReactNode => (
    <li>
      <a href={href} aria-current={href === path ? 'page' : undefined}>
        {text}
      </a>
    </li>
  );

  return (
    <nav
      className={styles.nav}
      aria-label="Main"
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
        aria-label="Menu"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'close' : 'menu'} />
      </button>
      <ul id={listId} className={styles.links}>
        {link('/', 'Lookup')}
        {tokenDonations && link('/token-donation', 'Token Donation')}
        {link('/donate', 'Support us')}
      </ul>
    </nav>
  );
};
