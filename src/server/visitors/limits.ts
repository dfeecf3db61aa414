import { hash } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS, type System } from '#server/system.ts';
import { createCounters, type Allowance } from './counters.ts';
import { visitorPrefixes } from './ip-address.ts';

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
