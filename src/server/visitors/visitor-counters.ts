import type { Clock } from '#server/system.ts';

/** A GCRA allowance: `count` events per `periodMs`, of which `burst` may come at once. */
export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

export type LimitRefusal = { readonly allowed: false; readonly retryAfterMs: number };
export type LimitDecision =
  /** `pressure`: share of the burst in use after this event, 0..1. */
  { readonly allowed: true; readonly pressure: number } | LimitRefusal;

export type LimitedEvent = { readonly limit: string; readonly key: Buffer; readonly allowance: Allowance };

export type VisitorCounters = {
  /** Counts one event against every named allowance, or against none of them when one refuses. */
  readonly take: (events: readonly LimitedEvent[]) => LimitDecision | Promise<LimitDecision>;
  /** How long `take` will refuse, as far as is known without asking anybody. Counts nothing. */
  readonly knownWaitMs: (events: readonly LimitedEvent[]) => number;
};

export type MemoryVisitorCounters = Omit<VisitorCounters, 'take'> & {
  readonly take: (events: readonly LimitedEvent[]) => LimitDecision;
};

export type VisitorCountersOptions = { readonly clock: Clock; readonly slotsPerLimit?: number };

/** By slot: whose it is, and when their use is paid off. */
type Slots = { readonly tags: Float64Array; readonly paidOffAtMs: Float64Array };

type Charge = {
  readonly slots: Slots;
  readonly slot: number;
  readonly tag: number;
  readonly paidOffAtMs: number;
};

/** A fixed 2 MiB per limit: it cannot grow. */
const DEFAULT_SLOTS = 2 ** 17;
/** A key may be in any slot of its row. */
const ROW = 16;
/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
const ROUNDING_MS = 0.01;

const intervalMs = ({ count, periodMs }: Allowance): number => periodMs / count;

const emptySlots = (count: number): Slots => ({
  tags: new Float64Array(count),
  paidOffAtMs: new Float64Array(count),
});

/** The key's own slot, or the one of its row whose owner owes least. */
const findSlot = ({ tags, paidOffAtMs }: Slots, tag: number, row: number): number => {
  const first = row * ROW;
  let least = first;
  for (let slot = first; slot < first + ROW; slot += 1) {
    if (tags[slot] === tag) return slot;
    if ((paidOffAtMs[slot] ?? 0) < (paidOffAtMs[least] ?? 0)) least = slot;
  }
  return least;
};

/**
 * GCRA. Each slot holds the time at which its key's use is paid off ("theoretical arrival time"): every
 * event adds one interval, and the debt may not exceed `burst` intervals.
 *
 * No key is ever charged for another. Where more come than there are slots, the one that owes least is forgotten, so a
 * flood of strangers can make limits looser and never stricter.
 */
export const createMemoryVisitorCounters = ({
  clock,
  slotsPerLimit = DEFAULT_SLOTS,
}: VisitorCountersOptions): MemoryVisitorCounters => {
  const slotsByLimit = new Map<string, Slots>();
  const rows = slotsPerLimit / ROW;

  const slotsOf = (limit: string): Slots => {
    const existing = slotsByLimit.get(limit);
    if (existing !== undefined) return existing;
    const slots = emptySlots(slotsPerLimit);
    slotsByLimit.set(limit, slots);
    return slots;
  };

  /** The events of one call name different limits, so no charge hides another. */
  const assess = (events: readonly LimitedEvent[]): [LimitDecision, Charge[]] => {
    const nowMs = clock.monotonicMs();
    const charges: Charge[] = [];
    let retryAfterMs = 0;
    let pressure = 0;
    for (const { limit, key, allowance } of events) {
      const slots = slotsOf(limit);
      const tag = key.readUIntLE(4, 6);
      const slot = findSlot(slots, tag, key.readUInt32LE(0) % rows);
      const owedUntilMs = slots.tags[slot] === tag ? (slots.paidOffAtMs[slot] ?? 0) : 0;
      const paidOffAtMs = Math.max(nowMs, owedUntilMs) + intervalMs(allowance);
      const debtMs = paidOffAtMs - nowMs;
      const allowedDebtMs = allowance.burst * intervalMs(allowance);
      retryAfterMs = Math.max(retryAfterMs, debtMs - allowedDebtMs);
      pressure = Math.max(pressure, debtMs / allowedDebtMs);
      charges.push({ slots, slot, tag, paidOffAtMs });
    }
    if (retryAfterMs > ROUNDING_MS) return [{ allowed: false, retryAfterMs }, []];
    return [{ allowed: true, pressure: Math.min(1, pressure) }, charges];
  };

  return {
    knownWaitMs: (events) => {
      const [decision] = assess(events);
      return decision.allowed ? 0 : decision.retryAfterMs;
    },
    take: (events) => {
      const [decision, charges] = assess(events);
      for (const { slots, slot, tag, paidOffAtMs } of charges) {
        slots.tags[slot] = tag;
        slots.paidOffAtMs[slot] = paidOffAtMs;
      }
      return decision;
    },
  };
};
