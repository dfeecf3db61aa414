import { useEffect, useState } from 'react';
import type { Browser } from '../../browser.ts';

/** The seconds left of a wait that starts with the component. Counted by the clock: timers of a hidden page are late. */
export const useCountdown = (seconds: number, after: Browser['after']): number => {
  const [endMs] = useState(() => Date.now() + seconds * 1_000);
  const [nowMs, setNowMs] = useState(() => endMs - seconds * 1_000);
  const left = Math.max(0, Math.ceil((endMs - nowMs) / 1_000));

  useEffect(() => (left === 0 ? undefined : after(1_000, () => setNowMs(Date.now()))), [left, nowMs, after]);
  return left;
};
