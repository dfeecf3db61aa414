import type { Clock } from '#server/system.ts';

/** A GCRA allowance: `count` events per `periodMs`, of which `burst` may come at once. */
export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

export type LimitDecision =
  /** `pressure`: share of the burst in use after this event, 0..1. */
  | { readonly allowed: true; readonly pressure: number }
  | { readonly allowed: false; readonly retryAfterMs: number };

export type LimitedEvent = { readonly limit: string; readonly key: Buffer; readonly allowance: Allowance };

export type VisitorCounters = {
  /** Counts one event against every named allowance, or against none of them when one refuses. */
  readonly take: (events: readonly LimitedEvent[]) => Promise<LimitDecision>;
};

export type VisitorCountersOptions = { readonly clock: Clock; readonly slotsPerLimit?: number };

type Charge = { readonly slots: Float64Array; readonly slot: number; readonly paidOffAtMs: number };

/** A fixed 1 MiB per limit: it cannot grow, and two keys that share a slot only make the limit stricter. */
const DEFAULT_SLOTS = 2 ** 17;
/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
const ROUNDING_MS = 0.01;

const intervalMs = ({ count, periodMs }: Allowance): number => periodMs / count;

/**
 * GCRA. Each slot holds the time at which its key's use is paid off ("theoretical arrival time"): every
 * event adds one interval, and the debt may not exceed `burst` intervals.
 */
export const createVisitorCounters = ({
  clock,
  slotsPerLimit = DEFAULT_SLOTS,
}: VisitorCountersOptions): VisitorCounters => {
  const slotsByLimit = new Map<string, Float64Array>();

  const slotsOf = (limit: string): Float64Array => {
    const existing = slotsByLimit.get(limit);
    if (existing !== undefined) return existing;
    const slots = new Float64Array(slotsPerLimit);
    slotsByLimit.set(limit, slots);
    return slots;
  };

  return {
    /** The events of one call name different limits, so no charge hides another. */
    take: async (events) => {
      const nowMs = clock.monotonicMs();
      const charges: Charge[] = [];
      let retryAfterMs = 0;
      let pressure = 0;
      for (const { limit, key, allowance } of events) {
        const slots = slotsOf(limit);
        const slot = key.readUInt32LE(0) % slotsPerLimit;
        const paidOffAtMs = Math.max(nowMs, slots[slot] ?? 0) + intervalMs(allowance);
        const debtMs = paidOffAtMs - nowMs;
        const allowedDebtMs = allowance.burst * intervalMs(allowance);
        retryAfterMs = Math.max(retryAfterMs, debtMs - allowedDebtMs);
        pressure = Math.max(pressure, debtMs / allowedDebtMs);
        charges.push({ slots, slot, paidOffAtMs });
      }
      if (retryAfterMs > ROUNDING_MS) return { allowed: false, retryAfterMs };
      for (const { slots, slot, paidOffAtMs } of charges) slots[slot] = paidOffAtMs;
      return { allowed: true, pressure: Math.min(1, pressure) };
    },
  };
};
