import { LRUCache } from 'lru-cache';
import type { Reply } from '#server/storage/redis/redis-connection.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { Allowance, LimitDecision, LimitedEvent, VisitorCounters } from './visitor-counters.ts';

/** Until when one limit refuses one network. Another limit, which was not checked, may refuse it for longer. */
type Refusal = { readonly allowance: Allowance; readonly untilMs: number };

/** How many networks can be turned away without asking Redis. */
const MAX_REFUSALS = 50_000;

/**
 * The same GCRA as in `visitor-counters.ts`. Each key holds the time at which its use is paid off, in milliseconds of
 * Redis's clock; these numbers are so large that sums of fractions are less exact than in memory. `terms`: interval and
 * allowed debt of each key. Replies with the pressure, or with the wait and the key that caused it.
 */
export const COUNT_FUNCTION = `
local function count(keys, terms, now)
  local paidOff = redis.call('MGET', unpack(keys))
  local wait, refused, pressure = 0, 0, 0
  for i = 1, #keys do
    local interval, allowed = string.match(terms[i], '(%S+) (%S+)')
    local owedUntil = tonumber(paidOff[i] or 0) or 0
    -- Nobody can owe that much: it was written by a clock that was wrong.
    if owedUntil > now + allowed + interval then owedUntil = 0 end
    paidOff[i] = math.max(now, owedUntil) + interval
    local debt = paidOff[i] - now
    if debt - allowed > wait then wait, refused = debt - allowed, i end
    pressure = math.max(pressure, debt / allowed)
  end
  if wait > 1 then return {'wait', string.format('%.17g', wait), refused} end
  for i = 1, #keys do
    redis.call('SET', keys[i], string.format('%.17g', paidOff[i]), 'PX', math.ceil(paidOff[i] - now))
  end
  return {'pressure', string.format('%.17g', math.min(1, pressure))}
end`;

/** A decision, and which event of the list decided a refusal. */
type Counted =
  | Extract<LimitDecision, { allowed: true }>
  | (Extract<LimitDecision, { allowed: false }> & { readonly refused: number });

export const readCount = (reply: Reply): Counted => {
  const [word, value, refused = 0] = reply as ['pressure' | 'wait', string, number?];
  return word === 'pressure'
    ? { allowed: true, pressure: Number(value) }
    : { allowed: false, retryAfterMs: Number(value), refused: refused - 1 };
};

const COUNT = defineScript({
  keys: [],
  args: [],
  timed: true,
  functions: COUNT_FUNCTION,
  lua: 'return count(moreKeys, moreArgs, now)',
  reply: readCount,
});

/** The arguments of `count`, and how to read its reply. */
export type Charge = {
  readonly moreKeys: readonly string[];
  readonly moreArgs: readonly string[];
  readonly decide: (counted: Counted) => LimitDecision;
};

export type RedisVisitorCounters = VisitorCounters & {
  /** For a script that counts in one step with something else. */
  readonly charge: (events: readonly LimitedEvent[]) => Charge;
};

/** One for all nodes, on Redis's clock. What is refused here is refused everywhere. */
export const createRedisVisitorCounters = (clock: Clock, store: SharedStore): RedisVisitorCounters => {
  const refusals = new LRUCache<string, Refusal>({ max: MAX_REFUSALS });
  const termsOf = createTerms();

  const prefix = store.key('l:');
  const keyOf = ({ limit, key }: LimitedEvent): string => `${prefix}${limit}:${key.toString('hex', 0, 16)}`;

  const knownWaitMs = (events: readonly LimitedEvent[]): number => {
    if (refusals.size === 0) return 0;
    const nowMs = clock.monotonicMs();
    const waitsMs = events.map((event) => {
      const refusal = refusals.get(keyOf(event));
      // A changed limit may allow more.
      return refusal?.allowance === event.allowance ? refusal.untilMs - nowMs : 0;
    });
    return Math.max(0, ...waitsMs);
  };

  const charge = (events: readonly LimitedEvent[]): Charge => ({
    moreKeys: events.map(keyOf),
    moreArgs: events.map(({ allowance }) => termsOf(allowance)),
    decide: (counted) => {
      if (counted.allowed) return counted;
      const { refused, retryAfterMs } = counted;
      const event = events[refused];
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
    const { decide, ...input } = charge(events);
    return decide(await store.run(COUNT, { keys: {}, args: {}, ...input }));
  };

  return { take, knownWaitMs, charge };
};

/** Interval and allowed debt as text, kept: they are the same for everybody, and formatting fractions is slow. */
const createTerms = (): ((allowance: Allowance) => string) => {
  const known = new WeakMap<Allowance, string>();
  return (allowance) => {
    const intervalMs = allowance.periodMs / allowance.count;
    const terms = known.get(allowance) ?? `${intervalMs} ${allowance.burst * intervalMs}`;
    known.set(allowance, terms);
    return terms;
  };
};
