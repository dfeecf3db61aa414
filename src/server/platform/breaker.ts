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

  const failProbe = (nowMs: number): void => {
    pauseMs = Math.min(pauseMs * 2, options.maxPauseMs);
    trip(nowMs);
  };

  return {
    /** When the next request may go: -Infinity while closed, Infinity while a probe is in flight. */
    freeAtMs: () => (state === 'closed' ? -Infinity : state === 'open' ? probeAtMs : Infinity),
    sent: (): void => {
      if (state === 'open') state = 'probing';
    },
    settled: (result: 'success' | 'failure', nowMs: number): void => {
      // Sent before it tripped: that says nothing about now.
      if (state === 'open') return;
      if (result === 'success') close();
      else if (state === 'probing') failProbe(nowMs);
      else countFailure(nowMs);
    },
    /** The request was not sent after all: if it was the probe, another may go. */
    released: (): void => {
      if (state === 'probing') state = 'open';
    },
  };
};
