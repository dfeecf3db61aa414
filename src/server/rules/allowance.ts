/** `count` events per `periodMs`, of which `burst` may come at once. */
export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

/** By how much one event moves the time at which the use so far is paid off (GCRA, "theoretical arrival time"). */
export const stepMs = ({ count, periodMs }: Allowance): number => periodMs / count;

/** How far ahead that time may lie. */
export const mostAheadMs = (allowance: Allowance): number => allowance.burst * stepMs(allowance);

/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
export const ROUNDING_MS = 0.01;
