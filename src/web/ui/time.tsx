import { useSyncExternalStore, type ReactNode } from 'react';
import { yourTime } from '../texts/ui.ts';
import styles from './time.module.css';

/** In the language of the pages, whatever the visitor's is. Kept: to make one takes a browser milliseconds. */
const formats = new Map<string, Intl.DateTimeFormat>();
const format = (date: Date, options: Intl.DateTimeFormatOptions): string => {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(key, known);
  return known.format(date);
};

const EXACT = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const YEAR = { year: 'numeric' } as const;

/** `4 May 2018 at 16:20:17 UTC`. */
export const utcInWords = (date: Date): string => `${format(date, EXACT)} UTC`;

/** The visitor's own time: its day only where that is another one, nothing where all of it is the same. */
export const localTimeOf = (date: Date, timeZone?: string): string | undefined => {
  const differs = (part: Intl.DateTimeFormatOptions): boolean =>
    format(date, { ...part, timeZone }) !== format(date, { ...part, timeZone: 'UTC' });
  if (!differs({ ...DAY, ...CLOCK })) return undefined;
  const year = differs(YEAR) && YEAR;
  const day = differs(DAY) && DAY;
  return format(date, { ...year, ...day, ...CLOCK, timeZone });
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
      {utcInWords(date)}
      {local !== undefined && <span className={styles.local}> {yourTime(local)}</span>}
    </time>
  );
};
