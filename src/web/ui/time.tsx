import { useSyncExternalStore, type ReactNode } from 'react';
import { inYourTimeZone } from '../texts/ui.ts';
import styles from './time.module.css';

/** Kept: to make one takes a browser milliseconds. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** In the language of the pages, whatever the visitor's is. */
const format = (date: Date, timeZone: string | undefined): string => {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone });
  formats.set(timeZone, known);
  return known.format(date);
};

/** The visitor's own time: only its hours where the day is the same, nothing where all of it is. */
export const localTimeOf = (date: Date, timeZone?: string): string | undefined => {
  const local = format(date, timeZone);
  const utc = format(date, 'UTC');
  if (local === utc) return undefined;
  const [day, time] = local.split(' at ');
  return utc.startsWith(`${day} at `) ? time : local;
};

const neverChanges = () => () => {};

/** A moment in UTC, and the visitor's own time beside it as soon as the browser can tell. */
export const Time = ({ iso }: { readonly iso: string }): ReactNode => {
  const date = new Date(iso);
  const local = useSyncExternalStore<string | undefined>(
    neverChanges,
    () => localTimeOf(date),
    () => undefined,
  );
  return (
    <time dateTime={iso}>
      {format(date, 'UTC')} UTC
      {local !== undefined && <span className={styles.local}> {inYourTimeZone(local)}</span>}
    </time>
  );
};
