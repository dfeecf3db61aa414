import { useEffect, useState } from 'react';
import type { Failure } from './ask-server.ts';
import { useEnvironment } from './environment.ts';

export type Wait = { readonly seconds: number; readonly left: number };

/** What is left by the clock: the timers of a hidden page are late. A clock that is set back does not stop it. */
export const secondsLeft = (before: number, endMs: number, nowMs: number): number =>
  Math.max(0, Math.min(before - 1, Math.ceil((endMs - nowMs) / 1_000)));

export const useWait = (failure: Pick<Failure, 'retryAfterSeconds'> | undefined): Wait => {
  const { after } = useEnvironment().browser;
  const seconds = failure?.retryAfterSeconds ?? 0;
  const [counted, setCounted] = useState<{ readonly of: typeof failure; readonly left: number }>();
  const left = counted?.of === failure ? (counted?.left ?? 0) : seconds;

  useEffect(() => {
    if (seconds === 0) return undefined;
    const endMs = Date.now() + seconds * 1_000;
    let cancel = (): void => undefined;
    const count = (before: number): void => {
      cancel = after(1_000, () => {
        const now = secondsLeft(before, endMs, Date.now());
        setCounted({ of: failure, left: now });
        if (now > 0) count(now);
      });
    };
    count(seconds);
    return () => cancel();
  }, [failure, seconds, after]);

  return { seconds, left };
};
