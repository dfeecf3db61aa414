import { useEffect, useState, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useFormats, useTexts } from '../environment.ts';
import type { Formats } from '../texts/formats.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './countdown.module.css';

/** A wait as people say it, rounded up: `in 5 minutes`. */
export const waitInWords = ({ relative }: Formats, seconds: number): string => {
  if (seconds < 120) return relative(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? relative(minutes, 'minute') : relative(Math.ceil(minutes / 60), 'hour');
};

type CountdownProps = {
  readonly seconds: number;
  readonly onOver?: () => void;
};

/** A wait that starts when it is mounted. It counts down visibly; a screen reader says once how long it is, and when it is over. */
export const Countdown = ({ seconds, onOver }: CountdownProps): ReactNode => {
  const { after } = useEnvironment().browser;
  const formats = useFormats();
  const texts = useTexts('ui');
  const inWords = (wait: number): string => fill(texts.tryAgainIn, { inTime: waitInWords(formats, wait) });
  const [endMs] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    if (left <= 0) return onOver?.();
    // By the clock: the timers of a hidden page are late.
    return after(1_000, () => setLeft(Math.ceil((endMs - Date.now()) / 1_000)));
  }, [left, endMs, after, onOver]);

  return (
    <p className={styles.countdown}>
      <span aria-hidden="true">{left > 0 ? inWords(left) : texts.tryAgainNow}</span>
      <VisuallyHidden>{inWords(seconds)}</VisuallyHidden>
      <VisuallyHidden live>{left <= 0 && texts.tryAgainNow}</VisuallyHidden>
    </p>
  );
};
