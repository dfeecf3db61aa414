import type { DailySecret } from './daily-secret.ts';
import type { Allowance, LimitedEvent } from './visitor-counters.ts';
import { createVisitorKeys } from './visitor-keys.ts';

export type VisitorAction =
  | 'challenge'
  | 'lookup'
  | 'picture'
  | 'donation'
  | 'donation-attempt'
  | 'withdrawal';

/** What one narrow prefix may do; every allowance of the list must agree. */
export type VisitorAllowances = Readonly<Record<VisitorAction, readonly Allowance[]>>;

/** What one visitor (an IPv4 address or an IPv6 /64) may do. */
export type VisitorRates = {
  readonly challengesPerMinute: number;
  readonly lookupsPerMinute: number;
  readonly lookupsPerDay: number;
};

export type VisitorLimitsOptions = {
  readonly dailySecret: DailySecret;
  readonly allowances: VisitorAllowances;
};

export type VisitorLimits = {
  /** What is to be counted when this address does this. */
  readonly eventsOf: (action: VisitorAction, address: string) => readonly LimitedEvent[];
  /** From now on; what was counted so far stays counted. */
  readonly allow: (allowances: VisitorAllowances) => void;
};

type NamedAllowance = {
  readonly limit: string;
  readonly prefix: 'narrow' | 'wide';
  readonly allowance: Allowance;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Offices and mobile carriers put many visitors behind one wide prefix. */
const WIDE_FACTOR = 8;

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
    // A card has up to eight, and a list of recent lookups twelve.
    picture: [{ count: 300, periodMs: MINUTE_MS, burst: 100 }],
    donation: [{ count: 3, periodMs: HOUR_MS, burst: 3 }],
    // Each may cost a request to the platform, and tells whether a token works.
    'donation-attempt': [{ count: 10, periodMs: HOUR_MS, burst: 10 }],
    withdrawal: [{ count: 5, periodMs: HOUR_MS, burst: 5 }],
  };
};

const widen = ({ count, periodMs, burst }: Allowance): Allowance => ({
  count: count * WIDE_FACTOR,
  periodMs,
  burst: burst * WIDE_FACTOR,
});

/** Stands for the wide prefix that the events count against: 48 bits of its key, which is a digest. */
export const networkOf = (events: readonly LimitedEvent[]): number =>
  events.at(-1)?.key.readUIntLE(4, 6) ?? 0;

/** Each allowance and its wide twin, the wide one last, under the names that their events are counted by. */
const nameAll = (allowances: VisitorAllowances): Readonly<Record<VisitorAction, NamedAllowance[]>> => {
  const named = (action: VisitorAction): NamedAllowance[] =>
    allowances[action].flatMap((allowance, index) => [
      { limit: `${action}-${index}-narrow`, prefix: 'narrow', allowance },
      { limit: `${action}-${index}-wide`, prefix: 'wide', allowance: widen(allowance) },
    ]);
  return {
    challenge: named('challenge'),
    lookup: named('lookup'),
    picture: named('picture'),
    donation: named('donation'),
    'donation-attempt': named('donation-attempt'),
    withdrawal: named('withdrawal'),
  };
};

export const createVisitorLimits = ({ dailySecret, allowances }: VisitorLimitsOptions): VisitorLimits => {
  const keysOf = createVisitorKeys(dailySecret);
  let named = nameAll(allowances);
  return {
    eventsOf: (action, address) => {
      const keys = keysOf(address);
      return named[action].map(({ limit, prefix, allowance }) => ({ limit, key: keys[prefix], allowance }));
    },
    allow: (changed) => {
      named = nameAll(changed);
    },
  };
};
