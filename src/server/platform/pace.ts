/** How late a send may be without slowing down those after it. */
export const LATE_MS = 10;

export const MAX_LATE_MS = 30;

/** How much closer together requests may be when they arrive than when they were granted. */
const JITTER_MS = 20;
/** Several servers wait for their slots each by its own timer, and each on its own way from PostgreSQL. */
export const SHARED_JITTER_MS = 80;

/** GCRA. Lateness and jitter are taken off the rate: no second at the platform sees more than `perSecond`. */
export const sendIntervalMs = (perSecond: number, jitterMs = JITTER_MS): number =>
  (1_000 + LATE_MS + jitterMs) / perSecond;
