import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import type { Formats } from '../../texts/formats.ts';
import type { Texts } from '../../texts/translation.ts';
import styles from './account-age.module.css';

/** When the first ids were made. */
const FIRST_YEAR = 2015;
const FIRST_MS = Date.UTC(FIRST_YEAR, 0);

const placeInTime = (ms: number, nowMs: number): string => {
  const share = (ms - FIRST_MS) / (nowMs - FIRST_MS);
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
};

/** What is said of the moment in which an account was made. */
export const createdFacts = (
  [createdMs, nowMs]: readonly [number, number],
  { utc, span, today }: Formats,
  ui: Texts['ui'],
) => ({
  createdIso: new Date(createdMs).toISOString(),
  created: utc(createdMs),
  age: span([createdMs, nowMs], ui),
  place: placeInTime(createdMs, nowMs),
  today: today(),
});

export type CreatedFacts = ReturnType<typeof createdFacts>;

const WEEK_MS = 7 * 24 * 3_600_000;

export const AccountAge = ({ age, place, today, createdIso }: CreatedFacts): ReactNode => {
  const texts = useTexts('card');
  return (
    <div className={`small ${styles.age}`}>
      <p>{fill(texts.age, { age })}</p>
      {Date.now() - Date.parse(createdIso) < WEEK_MS && <span>{texts.newAccount}</span>}
      <svg aria-hidden="true" height="12">
        <line x1="0" x2="100%" y1="6" y2="6" />
        <line x1={place} x2="100%" y1="6" y2="6" />
        <circle cx={place} cy="6" r="5" />
      </svg>
      <div aria-hidden="true">
        <span>{FIRST_YEAR}</span>
        <span>{today}</span>
      </div>
    </div>
  );
};
