import { useSyncExternalStore, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import type { Formats } from '../texts/formats.ts';
import styles from './time.module.css';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const YEAR = { year: 'numeric' } as const;

export const localTimeOf = ({ date }: Formats, ms: number, minutesBehind: number): string | undefined => {
  const utc = new Date(ms);
  // By the clock rather than by words: every format takes a phone milliseconds to create.
  const local = new Date(ms - minutesBehind * 60_000);
  if (local.getTime() === ms) return undefined;
  const year = local.getUTCFullYear() !== utc.getUTCFullYear() && YEAR;
  const day = local.getUTCDate() !== utc.getUTCDate() && DAY;
  return date(local.getTime(), { ...year, ...day, ...CLOCK, timeZone: 'UTC' });
};

const neverChanges = () => () => {};

type TimeProps = {
  readonly iso: string;
  /** The moment in UTC, where it is known already. */
  readonly words?: string;
};

/** A moment in UTC, and the visitor's own time beside it as soon as the browser can tell. */
export const Time = ({ iso, words }: TimeProps): ReactNode => {
  const formats = useFormats();
  const { yourTime } = useTexts('ui');
  const ms = Date.parse(iso);
  const local = useSyncExternalStore<string | undefined>(
    neverChanges,
    () => localTimeOf(formats, ms, new Date(ms).getTimezoneOffset()),
    () => undefined,
  );
  return (
    <time dateTime={iso}>
      {words ?? formats.utc(ms)}
      {local !== undefined && <span className={styles.local}> {fill(yourTime, { time: local })}</span>}
    </time>
  );
};
