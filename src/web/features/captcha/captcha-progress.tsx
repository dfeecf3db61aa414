import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { captchaProgress as texts } from '../../texts/captcha.ts';
import styles from './altcha-widget.module.css';

const TICK_MS = 200;
/** Earlier than this nobody wonders how long it takes. */
const TELL_AFTER_MS = 1_000;

/** A longer estimate comes from a search that has hardly begun; and the dialog gives up after this time. */
const MOST_SECONDS = 20;

/** How long the rest of the range takes at most: the number may be anywhere in it. */
export const timeLeft = (share: number, passedMs: number): string => {
  if (share <= 0 || passedMs < TELL_AFTER_MS) return '';
  const seconds = Math.ceil(((passedMs / share) * (1 - share)) / 1_000);
  if (seconds > MOST_SECONDS) return '';
  return seconds > 1 ? texts.secondsLeft(seconds) : texts.almostDone;
};

type CaptchaProgressProps = {
  readonly share: () => number;
  readonly onProgress: ((share: number) => void) | undefined;
};

/** How far the search is. The widget itself only says that it works. */
export const CaptchaProgress = ({ share, onProgress }: CaptchaProgressProps): ReactNode => {
  const { after } = useEnvironment().browser;
  const [startedMs] = useState(() => performance.now());
  const [done, setDone] = useState({ share: 0, passedMs: 0 });
  const look = useEffectEvent(() => {
    setDone({ share: share(), passedMs: performance.now() - startedMs });
    onProgress?.(share());
  });
  useEffect(() => after(TICK_MS, look), [done, after]);
  return (
    <div className={styles.progress}>
      <progress aria-label={texts.label} value={done.share} />
      <span>{timeLeft(done.share, done.passedMs)}</span>
    </div>
  );
};
