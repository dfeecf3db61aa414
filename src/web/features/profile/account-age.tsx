import type { ReactNode } from 'react';
import { useFormats } from '../../use-formats.ts';
import styles from './account-age.module.css';

/** When the first ids were made. */
const FIRST_MS = Date.UTC(2015, 0);

/** Where a moment lies on the line from the first ids to now, as a percentage. */
export const placeInTime = (ms: number, nowMs: number): string => {
  const share = (ms - FIRST_MS) / (nowMs - FIRST_MS);
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
};

type AccountAgeProps = { readonly age: string; readonly place: string };

/** How old the account is, and where on the line from the first ids to today it was created. */
export const AccountAge = ({ age, place }: AccountAgeProps): ReactNode => {
  const { date, today } = useFormats();
  return (
    <div className={styles.age}>
      <p>{age}</p>
      <svg aria-hidden="true" height="12">
        <line x1="0" x2="100%" y1="6" y2="6" />
        <line x1={place} x2="100%" y1="6" y2="6" />
        <circle cx={place} cy="6" r="5" />
      </svg>
      <div aria-hidden="true">
        <span>{date(FIRST_MS, { year: 'numeric', timeZone: 'UTC' })}</span>
        <span>{today()}</span>
      </div>
    </div>
  );
};
