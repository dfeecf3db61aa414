import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import type { Formats } from '../texts/formats.ts';
import type { Wait } from '../use-wait.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './wait.module.css';

export const waitInWords = ({ relative }: Formats, seconds: number): string => {
  if (seconds < 120) return relative(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? relative(minutes, 'minute') : relative(Math.ceil(minutes / 60), 'hour');
};

/** `40`, `1:40`, `1:01:40`. */
const clock = (seconds: number): string => {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const first = parts.findIndex((part) => part > 0);
  return parts
    .slice(Math.max(0, first))
    .map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
};

/** A screen reader says once how long it takes, and when it is over. */
export const WaitRing = ({ seconds, left }: Wait): ReactNode => {
  const formats = useFormats();
  const texts = useTexts('ui');
  return (
    <>
      {left > 0 && (
        <span className={styles.wait} aria-hidden="true">
          <svg viewBox="0 0 20 20">
            <circle cx="10" cy="10" r="8" />
            <circle cx="10" cy="10" r="8" pathLength="1" strokeDasharray={`${left / seconds} 1`} />
          </svg>
          {clock(left)}
        </span>
      )}
      {left > 0 && (
        <VisuallyHidden>{fill(texts.tryAgainIn, { inTime: waitInWords(formats, seconds) })}</VisuallyHidden>
      )}
      <VisuallyHidden live>{seconds > 0 && left === 0 && texts.tryAgainNow}</VisuallyHidden>
    </>
  );
};
