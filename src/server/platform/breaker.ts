const FAILURES = 5;
const WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export const createBreaker = () => {
  let failures = 0;
  let firstFailureMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  /** When single requests may find out whether it is over; -Infinity while nothing is wrong. */
  let probeAtMs = -Infinity;
  let isProbing = false;

  const close = (): void => {
    probeAtMs = -Infinity;
    failures = 0;
    pauseMs = FIRST_PAUSE_MS;
  };

  const countFailure = (nowMs: number): void => {
    if (failures === 0 || nowMs - firstFailureMs > WITHIN_MS) {
      failures = 0;
      firstFailureMs = nowMs;
    }
    failures += 1;
    if (failures >= FAILURES) probeAtMs = nowMs + pauseMs;
  };

  const failProbe = (nowMs: number): void => {
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    probeAtMs = nowMs + pauseMs;
  };

  return {
    freeAtMs: () => (isProbing ? Infinity : probeAtMs),
    sent: (): boolean => {
      isProbing = probeAtMs > -Infinity;
      return isProbing;
    },
    /** Only the probe's own result settles the probe: what was sent before it tripped says nothing about now. */
    settled: (result: 'success' | 'failure' | 'not-sent', nowMs: number, isProbe: boolean): void => {
      if (isProbe) isProbing = false;
      else if (probeAtMs > -Infinity) return;
      if (result === 'success') close();
      else if (result === 'failure') (isProbe ? failProbe : countFailure)(nowMs);
    },
  };
};
