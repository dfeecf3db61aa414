import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import styles from './lookup-form.module.css';

/** For those who only know a name. */
export const FindId = (): ReactNode => {
  const { platformName } = useEnvironment().site;
  return (
    <details className={styles.find}>
      <summary>Where do I find an ID?</summary>
      <p>
        Turn on <b>Developer Mode</b> in {platformName}, under <b>User Settings → Advanced</b>. Then:
      </p>
      <ul>
        <li>
          <b>On a computer,</b> right-click the person and choose <b>Copy User ID</b>.
        </li>
        <li>
          <b>On a phone,</b> open the person's profile, tap <b>⋯</b> and choose <b>Copy User ID</b>.
        </li>
      </ul>
      <p>A username will not do: it can change hands, an ID never does.</p>
    </details>
  );
};
