import { useId, useRef, useState, type ReactNode } from 'react';
import * as texts from '../../texts/frame.ts';
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
      aria-label={texts.NAVIGATION}
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
        aria-label={texts.MENU}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'close' : 'menu'} />
      </button>
      <ul id={listId} className={styles.links}>
        {link('/', texts.LOOKUP)}
        {tokenDonations && link('/token-donation', texts.TOKEN_DONATION)}
        {link('/donate', texts.SUPPORT_US)}
      </ul>
    </nav>
  );
};
