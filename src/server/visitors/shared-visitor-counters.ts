import { LRUCache } from 'lru-cache';
import { defineRawScript } from '#server/storage/redis/script.ts';
import type { Reply } from '#server/storage/redis/redis-connection.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { Allowance, LimitDecision, LimitedEvent, VisitorCounters } from './visitor-counters.ts';

/** Of one network under one limit: it may not come back before. Another limit, not asked then, may make it wait longer. */
type Refusals = LRUCache<string, { readonly allowance: Allowance; readonly untilMs: number }>;

/** So many networks at once can be turned away without asking. */
const MAX_REFUSALS = 50_000;

/**
 * The GCRA of the counters in memory. By key: when its use is paid off, in milliseconds of Redis's clock, which are
 * so many that sums of fractions are off by more than there. `terms` are the interval and the allowed debt of each key.
 * Answers with whether it was counted, and with the pressure or the wait and for which key.
 */
export const COUNT_FUNCTION = `
local function count(keys, terms)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local held = redis.call('MGET', unpack(keys))
  local paid, wait, refused, pressure = {}, 0, 0, 0
  for i = 1, #keys do
    local allowed = tonumber(terms[2 * i])
    paid[i] = math.max(now, tonumber(held[i] or 0)) + terms[2 * i - 1]
    local debt = paid[i] - now
    if debt - allowed > wait then wait, refused = debt - allowed, i end
    pressure = math.max(pressure, debt / allowed)
  end
  if wait > 1 then return {'no', string.format('%.17g', wait), refused} end
  for i = 1, #keys do
    redis.call('SET', keys[i], string.format('%.17g', paid[i]), 'PX', math.ceil(paid[i] - now))
  end
  return {'yes', string.format('%.17g', math.min(1, pressure)), 0}
end`;
const COUNT = defineRawScript(`${COUNT_FUNCTION}
return count(KEYS, ARGV)`);

/** What `count` takes, and how to read what it says. */
export type Charge = {
  readonly keys: readonly string[];
  readonly terms: readonly string[];
  readonly read: (reply: Reply) => LimitDecision;
};

export type SharedVisitorCounters = VisitorCounters & {
  /** For a script that counts in one step with something else. */
  readonly charge: (events: readonly LimitedEvent[]) => Charge;
};

/** One for all nodes, on Redis's clock. What is refused here is refused everywhere. */
export const createSharedVisitorCounters = (clock: Clock, store: SharedStore): SharedVisitorCounters => {
  const refusals: Refusals = new LRUCache({ max: MAX_REFUSALS });
  const termsOf = createTerms();

  const prefix = store.key('l:');
  const keyOf = ({ limit, key }: LimitedEvent): string => `${prefix}${limit}:${key.toString('hex', 0, 16)}`;

  const knownWaitMs = (events: readonly LimitedEvent[]): number => {
    if (refusals.size === 0) return 0;
    const nowMs = clock.monotonicMs();
    const waitsMs = events.map((event) => {
      const refusal = refusals.get(keyOf(event));
      // Under other terms it may be more.
      return refusal?.allowance === event.allowance ? refusal.untilMs - nowMs : 0;
    });
    return Math.max(0, ...waitsMs);
  };

  const charge = (events: readonly LimitedEvent[]): Charge => ({
    keys: events.map(keyOf),
    terms: events.flatMap(({ allowance }) => termsOf(allowance)),
    read: (reply) => {
      const decision = readDecision(reply);
      if (decision.allowed) return decision;
      const { refused, retryAfterMs } = decision;
      const event = events[refused - 1];
      if (event !== undefined) {
        const untilMs = clock.monotonicMs() + retryAfterMs;
        refusals.set(keyOf(event), { allowance: event.allowance, untilMs });
      }
      return { allowed: false, retryAfterMs };
    },
  });

  const take = async (events: readonly LimitedEvent[]): Promise<LimitDecision> => {
    const waitMs = knownWaitMs(events);
    if (waitMs > 0) return { allowed: false, retryAfterMs: waitMs };
    const { keys, terms, read } = charge(events);
    return read(await store.call(COUNT, keys, terms));
  };

  return { take, knownWaitMs, charge };
};

/** Interval and allowed debt, as text: they are the same for everybody, and fractions take long to write. */
const createTerms = (): ((allowance: Allowance) => readonly [string, string]) => {
  const known = new WeakMap<Allowance, readonly [string, string]>();
  return (allowance) => {
    const before = known.get(allowance);
    if (before !== undefined) return before;
    const intervalMs = allowance.periodMs / allowance.count;
    const terms = [`${intervalMs}`, `${allowance.burst * intervalMs}`] as const;
    known.set(allowance, terms);
    return terms;
  };
};

type SharedDecision =
  | Extract<LimitDecision, { allowed: true }>
  | (Extract<LimitDecision, { allowed: false }> & { readonly refused: number });

const readDecision = (reply: Reply): SharedDecision => {
  const [answer, value, refused] = reply as [string, string, number];
  return answer === 'yes'
    ? { allowed: true, pressure: Number(value) }
    : { allowed: false, retryAfterMs: Number(value), refused };
};
