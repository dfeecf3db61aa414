import type { VisitorAllowances } from './visitor-limits.ts';

/** What one visitor (an IPv4 address or an IPv6 /64) may do. */
export type VisitorRates = {
  readonly challengesPerMinute: number;
  readonly lookupsPerMinute: number;
  readonly lookupsPerDay: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A minute's worth need not come evenly, but not all at once either. */
const burstOf = (perMinute: number, share: number): number => Math.max(1, Math.round(perMinute * share));

export const visitorAllowances = (rates: VisitorRates): VisitorAllowances => {
  const { challengesPerMinute, lookupsPerMinute, lookupsPerDay } = rates;
  return {
    challenge: [
      { count: challengesPerMinute, periodMs: MINUTE_MS, burst: burstOf(challengesPerMinute, 1 / 3) },
    ],
    lookup: [
      { count: lookupsPerMinute, periodMs: MINUTE_MS, burst: burstOf(lookupsPerMinute, 0.4) },
      // In a day GCRA lets the burst through and the count once more: together the number that was asked for.
      { count: lookupsPerDay / 2, periodMs: DAY_MS, burst: Math.ceil(lookupsPerDay / 2) },
    ],
    donation: [{ count: 3, periodMs: HOUR_MS, burst: 3 }],
    withdrawal: [{ count: 5, periodMs: HOUR_MS, burst: 5 }],
  };
};
