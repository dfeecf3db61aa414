/** At most `perSecond` sends in any second, however they fall: it remembers exactly that many send times. */
export type EgressRate = {
  readonly freeAtMs: () => number;
  readonly sent: (nowMs: number) => void;
};

const SECOND_MS = 1_000;

export const createEgressRate = (perSecond: number): EgressRate => {
  const sentAtMs = new Float64Array(perSecond).fill(-Infinity);
  let oldest = 0;
  return {
    freeAtMs: () => (sentAtMs[oldest] as number) + SECOND_MS,
    sent: (nowMs) => {
      sentAtMs[oldest] = nowMs;
      oldest = (oldest + 1) % perSecond;
    },
  };
};
