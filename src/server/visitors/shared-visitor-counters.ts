import { LRUCache } from 'lru-cache';
import { defineScript } from '#server/storage/shared-store/script.ts';
import type { Reply } from '#server/storage/shared-store/session.ts';
import type { SharedStore } from '#server/storage/shared-store/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { Allowance, LimitDecision, LimitedEvent, VisitorCounters } from './visitor-counters.ts';

/** Of one network under one limit: it may not come back before. Another limit, not asked then, may make it wait longer. */
type Refusals = LRUCache<string, { readonly allowance: Allowance; readonly untilMs: number }>;

/** So many networks at once can be turned away without asking. */
const MAX_REFUSALS = 50_000;

/**
 * The GCRA of the counters in memory. By key: when its use is paid off, in milliseconds of the engine's clock, which are
 * so many that sums of fractions are off by more than there. `ARGV[1]` tells whether it counts; then come the interval
 * and the allowed debt of each key. Answers with whether, and with the pressure or the wait and for which key.
 */
const COUNT = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local held = redis.call('MGET', unpack(KEYS))
local paid, wait, refused, pressure = {}, 0, 0, 0
for i = 1, #KEYS do
  local allowed = tonumber(ARGV[2 * i + 1])
  paid[i] = math.max(now, tonumber(held[i] or 0)) + ARGV[2 * i]
  local debt = paid[i] - now
  if debt - allowed > wait then wait, refused = debt - allowed, i end
  pressure = math.max(pressure, debt / allowed)
end
if wait > 1 then return {'no', string.format('%.17g', wait), refused} end
if ARGV[1] == 'take' then
  for i = 1, #KEYS do
    redis.call('SET', KEYS[i], string.format('%.17g', paid[i]), 'PX', math.ceil(paid[i] - now))
  end
end
return {'yes', string.format('%.17g', math.min(1, pressure)), 0}`);

/** One for all nodes, on the engine's clock. What is refused here is refused everywhere. */
export const createSharedVisitorCounters = (clock: Clock, store: SharedStore): VisitorCounters => {
  const refusals: Refusals = new LRUCache({ max: MAX_REFUSALS });
  const termsOf = createTerms();

  const prefix = store.key('l:');
  const keyOf = ({ limit, key }: LimitedEvent): string => `${prefix}${limit}:${key.toString('hex', 0, 16)}`;

  const knownWaitMs = (keys: readonly string[], events: readonly LimitedEvent[]): number => {
    if (refusals.size === 0) return 0;
    const nowMs = clock.monotonicMs();
    const waitsMs = keys.map((key, index) => {
      const refusal = refusals.get(key);
      // Under other terms it may be more.
      return refusal?.allowance === events[index]?.allowance ? (refusal?.untilMs ?? 0) - nowMs : 0;
    });
    return Math.max(...waitsMs);
  };

  const decide = async (mode: 'take' | 'check', events: readonly LimitedEvent[]): Promise<LimitDecision> => {
    const keys = events.map(keyOf);
    const waitMs = knownWaitMs(keys, events);
    if (waitMs > 0) return { allowed: false, retryAfterMs: waitMs };
    const terms = [mode, ...events.flatMap(({ allowance }) => termsOf(allowance))];
    const decision = readDecision(await store.call(COUNT, keys, terms));
    if (decision.allowed) return decision;
    const { refused, retryAfterMs } = decision;
    const allowance = events[refused - 1]?.allowance;
    if (allowance !== undefined)
      refusals.set(keys[refused - 1] ?? '', { allowance, untilMs: clock.monotonicMs() + retryAfterMs });
    return { allowed: false, retryAfterMs };
  };

  return {
    take: (events) => decide('take', events),
    check: (events) => decide('check', events),
  };
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
