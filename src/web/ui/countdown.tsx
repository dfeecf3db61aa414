import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { waiting as texts } from '../texts/ui.ts';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './countdown.module.css';

/** A wait as people say it, rounded up. */
export const waitInWords = (seconds: number): string => {
  if (seconds === 1) return texts.second;
  if (seconds < 120) return texts.seconds(seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? texts.minutes(minutes) : texts.hours(Math.ceil(minutes / 60));
};

type CountdownProps = {
  readonly seconds: number;
  readonly onOver?: () => void;
};

/** A wait that starts with the mount. Seen, it counts down; heard, it says once how long it is, and when it is over. */
export const Countdown = ({ seconds, onOver }: CountdownProps): ReactNode => {
  const { after } = useEnvironment().browser;
  const [endMs] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    if (left <= 0) return onOver?.();
    // By the clock: the timers of a hidden page are late.
    return after(1_000, () => setLeft(Math.ceil((endMs - Date.now()) / 1_000)));
  }, [left, endMs, after, onOver]);

  return (
    <p className={styles.countdown}>
      <span aria-hidden="true">{left > 0 ? texts.left(waitInWords(left)) : texts.over}</span>
      <VisuallyHidden>{texts.left(waitInWords(seconds))}</VisuallyHidden>
      <VisuallyHidden live>{left <= 0 && texts.over}</VisuallyHidden>
    </p>
  );
};
