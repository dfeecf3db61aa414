import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS, type System } from '#server/system.ts';
import { visitorPrefixes } from './ip-address.ts';

export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

/** Whom an event counts against; each allowance must agree. A soft one only presses. */
export type Counter = {
  readonly key: string;
  readonly allowances: readonly Allowance[];
  readonly isSoft?: boolean;
};

/** What one more event comes to: how long it has to wait, and the share (0..1) of a burst that is then in use. */
export type Assessment = { readonly waitMs: number; readonly pressure: number };

const MOST_KEPT = 100_000;
/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
const ROUNDING_MS = 0.01;

/** By how much one event moves the time at which the use so far is paid off (GCRA). */
const stepMs = ({ count, periodMs }: Allowance): number => periodMs / count;

/** A flood pushes out who has not come for longest, so limits get looser and never stricter. */
export const createCounters = (nowMs: () => number, max = MOST_KEPT) => {
  // With `max` it would take the room of all of them at once.
  const paidOffMs = new LRUCache<string, readonly number[]>({ maxSize: max, sizeCalculation: () => 1 });

  const assess = (counters: readonly Counter[]): Assessment => {
    let waitMs = 0;
    let pressure = 0;
    for (const { key, allowances, isSoft = false } of counters) {
      const owedMs = paidOffMs.get(key) ?? [];
      for (const [n, allowance] of allowances.entries()) {
        const aheadMs = Math.max(0, (owedMs[n] ?? 0) - nowMs()) + stepMs(allowance);
        const mostMs = allowance.burst * stepMs(allowance);
        if (!isSoft) waitMs = Math.max(waitMs, aheadMs - mostMs);
        pressure = Math.max(pressure, aheadMs / mostMs);
      }
    }
    return { waitMs: waitMs > ROUNDING_MS ? waitMs : 0, pressure: Math.min(1, pressure) };
  };
  const count = (counters: readonly Counter[], events: number): void => {
    for (const { key, allowances, isSoft = false } of counters) {
      const owedMs = paidOffMs.get(key) ?? [];
      const moved = allowances.map((one, n) => {
        const owed = Math.max(nowMs(), owedMs[n] ?? 0) + events * stepMs(one);
        // Nobody pays for what they were not stopped from.
        return isSoft ? Math.min(owed, nowMs() + one.burst * stepMs(one)) : owed;
      });
      paidOffMs.set(key, moved);
    }
  };

  return {
    of: (counters: readonly Counter[]) => ({
      assess: () => assess(counters),
      /** Counts the event, unless it has to wait. */
      take: (): Assessment => {
        const assessment = assess(counters);
        if (assessment.waitMs === 0) count(counters, 1);
        return assessment;
      },
      giveBack: (): void => count(counters, -1),
      /** What has happened already, also if it is too much. */
      charge: (events: number): void => count(counters, events),
    }),
    clear: (): void => paidOffMs.clear(),
  };
};

export type VisitorAction =
  | 'challenge'
  | 'lookup'
  | 'picture'
  | 'donation'
  | 'donation-attempt'
  | 'withdrawal';

/** What one visitor (an IPv4 address or an IPv6 /64) may do. */
type VisitorRates = {
  readonly challengesPerMinute: number;
  readonly lookupsPerMinute: number;
  readonly lookupsPerDay: number;
};

export type VisitorLimits = ReturnType<typeof createVisitorLimits>;

const burstOf = (perMinute: number, share: number): number => Math.max(1, Math.round(perMinute * share));

const visitorAllowances = (rates: VisitorRates): Readonly<Record<VisitorAction, readonly Allowance[]>> => {
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
    'donation-attempt': [{ count: 10, periodMs: HOUR_MS, burst: 10 }],
    withdrawal: [{ count: 5, periodMs: HOUR_MS, burst: 5 }],
  };
};

/** How many visitors a network counts for, and how many networks a block. */
const WIDE_FACTOR = 8;

const widen = ({ count, periodMs, burst }: Allowance): Allowance => ({
  count: count * WIDE_FACTOR,
  periodMs,
  burst: burst * WIDE_FACTOR,
});

const MIB = 2 ** 20;
/** Of pictures. What all networks have together is 40 TB in a month. */
const NETWORK_BYTES: Allowance = { count: 30 * MIB, periodMs: MINUTE_MS, burst: 64 * MIB };
const SITE_BYTES: Allowance = { count: 960 * MIB, periodMs: MINUTE_MS, burst: 1_024 * MIB };

const numberOf = (key: string): number => Number.parseInt(key.slice(0, 12), 16);

export const createVisitorLimits = ({ clock, random }: System, rates: VisitorRates) => {
  const counters = createCounters(clock.monotonicMs);
  const allowances = visitorAllowances(rates);
  let secret = '';
  /** Each day: nothing that was counted leads back to an address later. */
  const forget = (): void => {
    secret = random.bytes(32).toString('hex');
    counters.clear();
    clock.after(DAY_MS, forget);
  };
  forget();
  /** HMAC would add nothing, because half of the digest stays here. */
  const digest = (text: string): string => hash('sha256', secret + text).slice(0, 32);

  return {
    /** How many bytes of pictures a visitor's network and all others get: known only once they have passed. */
    pictureBytes: (address: string) =>
      counters.of([
        { key: digest(`bytes in ${visitorPrefixes(address).wide}`), allowances: [NETWORK_BYTES] },
        { key: 'bytes', allowances: [SITE_BYTES] },
      ]),
    /** What a visitor does, as it counts against them and against their network. */
    visitOf: (action: VisitorAction, address: string) => {
      const { narrow, wide, block } = visitorPrefixes(address);
      const wideKey = digest(`${action} in ${wide}`);
      const blockKey = digest(`${action} of ${block}`);
      const [own, ofAll] = [allowances[action], allowances[action].map(widen)];
      return {
        /** Tell networks and blocks apart; no address can be derived from them. */
        network: numberOf(wideKey),
        block: numberOf(blockKey),
        ...counters.of([
          { key: digest(`${action} by ${narrow}`), allowances: own },
          { key: wideKey, allowances: ofAll },
          // A carrier may have all of its customers in one.
          { key: blockKey, allowances: ofAll.map(widen), isSoft: true },
        ]),
      };
    },
  };
};
