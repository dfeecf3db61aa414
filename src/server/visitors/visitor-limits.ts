import type { System } from '#server/system.ts';
import type { Allowance, LimitDecision, LimitedEvent, VisitorCounters } from './visitor-counters.ts';
import { createVisitorKeys } from './visitor-keys.ts';

export type VisitorAction = 'challenge' | 'lookup' | 'donation' | 'withdrawal';

/** What one narrow prefix may do; every allowance of the list must agree. */
export type VisitorAllowances = Readonly<Record<VisitorAction, readonly Allowance[]>>;

export type VisitorLimitsOptions = {
  readonly counters: VisitorCounters;
  readonly system: System;
  readonly allowances: VisitorAllowances;
};

export type VisitorLimits = {
  readonly admit: (action: VisitorAction, address: string) => Promise<LimitDecision>;
  /** After a failed proof: with the event that was admitted, the failure counts three times. */
  readonly penalize: (action: VisitorAction, address: string) => Promise<void>;
};

type NamedAllowance = {
  readonly limit: string;
  readonly prefix: 'narrow' | 'wide';
  readonly allowance: Allowance;
};

/** Offices and mobile carriers put many visitors behind one wide prefix. */
const WIDE_FACTOR = 8;
const EXTRA_EVENTS_OF_FAILURE = 2;

const widen = ({ count, periodMs, burst }: Allowance): Allowance => ({
  count: count * WIDE_FACTOR,
  periodMs,
  burst: burst * WIDE_FACTOR,
});

/** An allowance and its wide twin, under the names that their events are counted by. */
const namedAllowances = (action: VisitorAction, allowances: readonly Allowance[]): NamedAllowance[] =>
  allowances.flatMap((allowance, index) => [
    { limit: `${action}-${index}-narrow`, prefix: 'narrow', allowance },
    { limit: `${action}-${index}-wide`, prefix: 'wide', allowance: widen(allowance) },
  ]);

export const createVisitorLimits = ({
  counters,
  system,
  allowances,
}: VisitorLimitsOptions): VisitorLimits => {
  const keysOf = createVisitorKeys(system);
  const named = {
    challenge: namedAllowances('challenge', allowances.challenge),
    lookup: namedAllowances('lookup', allowances.lookup),
    donation: namedAllowances('donation', allowances.donation),
    withdrawal: namedAllowances('withdrawal', allowances.withdrawal),
  };

  const eventsOf = (action: VisitorAction, address: string): LimitedEvent[] => {
    const keys = keysOf(address);
    return named[action].map(({ limit, prefix, allowance }) => ({ limit, key: keys[prefix], allowance }));
  };

  return {
    admit: (action, address) => counters.take(eventsOf(action, address)),
    penalize: async (action, address) => {
      for (let extra = 0; extra < EXTRA_EVENTS_OF_FAILURE; extra += 1) {
        await counters.take(eventsOf(action, address));
      }
    },
  };
};
