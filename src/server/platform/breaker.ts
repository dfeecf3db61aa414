export type BreakerOptions = {
  /** This many failures with no success between them, the first and last at most `withinMs` apart, trip it. */
  readonly failures: number;
  readonly withinMs: number;
  /** The pause after tripping; it doubles with every failed probe. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
};

/** After a run of failures it stops everything, then lets single probes through until one succeeds. */
export const createBreaker = (options: BreakerOptions) => {
  let state: 'closed' | 'open' | 'probing' = 'closed';
  let failures = 0;
  let firstFailureMs = 0;
  let pauseMs = options.firstPauseMs;
  let probeAtMs = -Infinity;

  const trip = (nowMs: number): void => {
    state = 'open';
    probeAtMs = nowMs + pauseMs;
  };

  const close = (): void => {
    state = 'closed';
    failures = 0;
    pauseMs = options.firstPauseMs;
  };

  const countFailure = (nowMs: number): void => {
    if (failures === 0 || nowMs - firstFailureMs > options.withinMs) {
      failures = 0;
      firstFailureMs = nowMs;
    }
    failures += 1;
    if (failures >= options.failures) trip(nowMs);
  };

  const settleProbe = (result: 'success' | 'failure', nowMs: number): void => {
    if (result === 'success') return close();
    pauseMs = Math.min(pauseMs * 2, options.maxPauseMs);
    trip(nowMs);
  };

  return {
    /** When the next request may go: -Infinity while closed, Infinity while a probe is in flight. */
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
    /** The request was not sent after all: if it was the probe, another may go. */
    released: (isProbe: boolean): void => {
      if (isProbe) state = 'open';
    },
  };
};
