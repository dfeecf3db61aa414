import type { ReactNode } from 'react';
import * as texts from '../../texts/lookup/page.ts';
import styles from './lookup-form.module.css';

/** What stands between pairs of asterisks is bold. */
const withBold = (text: string): ReactNode =>
  text.split('**').map((part, place) => (place % 2 ? <b key={place}>{part}</b> : part));

/** For those who only know a name. */
export const FindId = ({ hidden }: { readonly hidden: boolean }): ReactNode => (
  <details className={styles.find} hidden={hidden}>
    <summary>{texts.FIND_ID}</summary>
    <p>{withBold(texts.FIND_ID_FIRST)}</p>
    <ul>
      <li>{withBold(texts.FIND_ID_COMPUTER)}</li>
      <li>{withBold(texts.FIND_ID_PHONE)}</li>
    </ul>
    <p>{texts.FIND_ID_WHY}</p>
  </details>
);
