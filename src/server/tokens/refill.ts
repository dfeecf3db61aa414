/** What an answer says of the limit. */
export type RateLimitReading = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
  readonly bucket: string | null;
};

export type Exchange = { readonly sentMs: number; readonly receivedMs: number };

/** `byMs`: by when it will have left, because it may have to wait for its turn. */
export type Send = { readonly nowMs: number; readonly byMs: number };

/** Seen on GET /users/{id}. */
const ASSUMED_LIMIT = 30;
export const ASSUMED_INTERVAL_MS = 1_000;

/** Survives JSON. An answer may only make our view of the bucket worse: other requests of ours may be in flight. */
export type TokenBudget = ReturnType<typeof createTokenBudget>;

export const createTokenBudget = () => ({
  refill: 'unknown' as 'unknown' | 'sliding' | 'fixed',
  bucket: null as string | null,
  limit: ASSUMED_LIMIT,
  /** When each request in flight was counted, which also names it. */
  inFlightMs: [] as number[],
  coolUntilMs: 0,
  globalTatMs: 0,
  higherClaims: 0,
  /** While unknown: the reading before this one. */
  lastUsed: 0,
  lastResetMs: 0,
  lastEndMs: 0,
  /** Sliding: theoretical arrival time, and how long one slot takes to come back. */
  tatMs: 0,
  intervalMs: ASSUMED_INTERVAL_MS,
  /** Fixed: sends in the window we opened, when we opened it, and when the platform closes it. */
  used: 0,
  windowStartMs: 0,
  windowEndMs: 0,
  periodMs: ASSUMED_LIMIT * ASSUMED_INTERVAL_MS,
});

type Refill = {
  readonly freeAt: (budget: TokenBudget, nowMs: number) => number;
  readonly spend: (budget: TokenBudget, send: Send) => void;
  readonly learn: (budget: TokenBudget, exchange: Exchange, reading: RateLimitReading) => void;
};

const CLEAR_OF_JITTER = 4;
/** A request may overtake its predecessor on the way. Keeping a slot back costs burst, not rate. */
const RESERVED_SLOTS = 1;
const ROUNDING_MS = 1;
/** Longer than the truth is safe, shorter would not be. */
const UNKNOWN_WINDOW_MS = 60_000;

export const REFILL: Readonly<Record<TokenBudget['refill'], Refill>> = {
  /** Within one window, each request moves the time of full refill by a slot (sliding), or leaves it (fixed). */
  unknown: {
    freeAt: () => 0,
    spend: () => {},
    learn: (budget, exchange, reading) => {
      const used = reading.limit - reading.remaining;
      const endMs = exchange.receivedMs + reading.resetAfterMs;
      const slotMs = budget.lastUsed > 0 ? budget.lastResetMs / budget.lastUsed : 0;
      const jitterMs = CLEAR_OF_JITTER * (exchange.receivedMs - exchange.sentMs);
      if (used > budget.lastUsed && slotMs > jitterMs && slotMs > 0) {
        const shiftMs = (endMs - budget.lastEndMs) / (used - budget.lastUsed);
        budget.refill = shiftMs > slotMs / 2 ? 'sliding' : 'fixed';
        budget.tatMs = endMs;
        budget.intervalMs = Math.max(slotMs, reading.resetAfterMs / used);
        budget.periodMs = budget.lastResetMs;
        openWindow(budget, { startMs: 0, endMs, used });
      } else {
        coolWhileEmpty(budget, exchange, reading);
      }
      budget.lastUsed = used;
      budget.lastResetMs = reading.resetAfterMs;
      budget.lastEndMs = endMs;
    },
  },
  sliding: {
    freeAt: (budget) => budget.tatMs - (budget.limit - RESERVED_SLOTS - 1) * budget.intervalMs,
    spend: (budget, { byMs }) => {
      budget.tatMs = Math.max(budget.tatMs, byMs) + budget.intervalMs;
    },
    learn: (budget, exchange, reading) => {
      const used = reading.limit - reading.remaining;
      // The answer is older than its arrival, so this time of full refill is never too early.
      budget.tatMs = Math.max(budget.tatMs, exchange.receivedMs + reading.resetAfterMs);
      // Counts are rounded up to whole slots, so this is never more than the true interval.
      if (used > 0) budget.intervalMs = Math.max(budget.intervalMs, reading.resetAfterMs / used);
    },
  },
  fixed: {
    freeAt: (budget, nowMs) =>
      budget.used < budget.limit || nowMs >= budget.windowEndMs ? nowMs : budget.windowEndMs,
    spend: (budget, { nowMs }) => {
      // Requests still in flight may reach the platform only now, so they count in the new window.
      if (nowMs >= budget.windowEndMs)
        openWindow(budget, {
          startMs: nowMs,
          endMs: nowMs + UNKNOWN_WINDOW_MS,
          used: budget.inFlightMs.length,
        });
      budget.used += 1;
    },
    learn: (budget, exchange, reading) => {
      if (exchange.sentMs < budget.windowStartMs) return;
      const used = reading.limit - reading.remaining;
      const endMs = exchange.receivedMs + reading.resetAfterMs + ROUNDING_MS;
      // By when it was sent: a slow answer may be from the window that is known already.
      if (exchange.sentMs + reading.resetAfterMs > budget.windowEndMs + budget.periodMs / 2)
        return openWindow(budget, { startMs: exchange.sentMs, endMs, used: used + budget.inFlightMs.length });
      // Each answer is older than its arrival, so the earliest end is still not too early.
      budget.windowEndMs = Math.min(budget.windowEndMs, endMs);
      budget.used = Math.max(budget.used, used);
      budget.periodMs = Math.max(budget.periodMs, reading.resetAfterMs);
    },
  },
};

const openWindow = (budget: TokenBudget, window: { startMs: number; endMs: number; used: number }): void => {
  budget.windowStartMs = window.startMs;
  budget.windowEndMs = window.endMs;
  budget.used = window.used;
};

export const coolBudget = (budget: TokenBudget, untilMs: number): void => {
  budget.coolUntilMs = Math.max(budget.coolUntilMs, untilMs);
};

export const coolWhileEmpty = (budget: TokenBudget, exchange: Exchange, reading: RateLimitReading): void => {
  if (reading.remaining <= 0) coolBudget(budget, exchange.receivedMs + reading.resetAfterMs);
};
