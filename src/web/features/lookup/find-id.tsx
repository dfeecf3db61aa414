import type { ReactNode } from 'react';
import styles from './lookup-form.module.css';

/** For those who only know a name. */
export const FindId = ({ hidden }: { readonly hidden: boolean }): ReactNode => (
  <details className={styles.find} hidden={hidden}>
    <summary>Where do I find an ID?</summary>
    <p>
      Turn on <b>Developer Mode</b> in the app, under <b>User Settings → Advanced</b>. Then:
    </p>
    <ul>
      <li>
        <b>On a computer,</b> right-click the person and choose <b>Copy User ID</b>.
      </li>
      <li>
        <b>On a phone,</b> open the person’s profile, tap <b>⋯</b> and choose <b>Copy User ID</b>.
      </li>
    </ul>
    <p>A username won’t do: it can change, an ID never does.</p>
  </details>
);
