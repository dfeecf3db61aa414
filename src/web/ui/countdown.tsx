import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { Spoken } from './spoken.tsx';
import { waitInWords } from './wait-in-words.ts';
import styles from './countdown.module.css';

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
      <span aria-hidden="true">
        {left > 0 ? `You can try again in ${waitInWords(left)}.` : 'You can try again now.'}
      </span>
      <Spoken>You can try again in {waitInWords(seconds)}.</Spoken>
      <Spoken live>{left <= 0 && 'You can try again now.'}</Spoken>
    </p>
  );
};
