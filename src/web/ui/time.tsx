import type { ReactNode } from 'react';
import styles from './time.module.css';

const format = (date: Date, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium', timeZone }).format(date);

/** A moment in UTC, as the visitor's locale writes it, and the visitor's own time beside it. Not for prerendered pages: the server's locale is another. */
export const Time = ({ iso }: { readonly iso: string }): ReactNode => {
  const date = new Date(iso);
  return (
    <time dateTime={iso}>
      {format(date, 'UTC')} UTC <span className={styles.local}>({format(date, undefined)} your time)</span>
    </time>
  );
};
