const FAILURES = 5;
const WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export const createBreaker = () => {
  let state: 'closed' | 'open' | 'probing' = 'closed';
  let failures = 0;
  let firstFailureMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let probeAtMs = -Infinity;

  const trip = (nowMs: number): void => {
    state = 'open';
    probeAtMs = nowMs + pauseMs;
  };

  const close = (): void => {
    state = 'closed';
    failures = 0;
    pauseMs = FIRST_PAUSE_MS;
  };

  const countFailure = (nowMs: number): void => {
    if (failures === 0 || nowMs - firstFailureMs > WITHIN_MS) {
      failures = 0;
      firstFailureMs = nowMs;
    }
    failures += 1;
    if (failures >= FAILURES) trip(nowMs);
  };

  const settleProbe = (result: 'success' | 'failure', nowMs: number): void => {
    if (result === 'success') return close();
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    trip(nowMs);
  };

  return {
    freeAtMs: () => (state === 'closed' ? -Infinity : state === 'open' ? probeAtMs : Infinity),
    sent: (): boolean => {
      if (state === 'open') state = 'probing';
      return state === 'probing';
    },
    /** Only the probe's own result settles the probe: what was sent before it tripped says nothing about now. */
    settled: (result: 'success' | 'failure', nowMs: number, isProbe: boolean): void => {
      if (isProbe) settleProbe(result, nowMs);
      else if (state !== 'closed') return;
      else if (result === 'success') close();
      else countFailure(nowMs);
    },
    released: (isProbe: boolean): void => {
      if (isProbe) state = 'open';
    },
  };
};
