import { useSyncExternalStore, type ReactNode } from 'react';
import styles from './time.module.css';

const format = (date: Date, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone }).format(date);

const neverChanges = () => () => {};

/** A moment in UTC, and the visitor's own time beside it as soon as the browser can tell. */
export const Time = ({ iso }: { readonly iso: string }): ReactNode => {
  const date = new Date(iso);
  const ownTime = useSyncExternalStore<string | undefined>(
    neverChanges,
    () => format(date, undefined),
    () => undefined,
  );
  return (
    <time dateTime={iso}>
      {format(date, 'UTC')} UTC{' '}
      {ownTime !== undefined && <span className={styles.local}>({ownTime} your time)</span>}
    </time>
  );
};
