import { LRUCache } from 'lru-cache';
import { defineScript } from '#server/storage/shared-store/script.ts';
import type { Reply } from '#server/storage/shared-store/session.ts';
import type { SharedStore } from '#server/storage/shared-store/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { LimitDecision, LimitedEvent, VisitorCounters } from './visitor-counters.ts';

/** Of one network under one limit: it may not come back before. Another limit, not asked then, may make it wait longer. */
type Refusals = LRUCache<string, number>;

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

  const nameOf = ({ limit, key, allowance }: LimitedEvent) => ({
    key: store.key(`l:${limit}:${key.toString('base64url', 0, 16)}`),
    intervalMs: allowance.periodMs / allowance.count,
    burst: allowance.burst,
  });

  /** Under the terms of its refusal: others may be more generous. */
  const placeOf = ({ key, intervalMs, burst }: ReturnType<typeof nameOf>): string =>
    `${key} ${intervalMs} ${burst}`;

  const knownWaitMs = (places: readonly string[], nowMs: number): number =>
    Math.max(...places.map((place) => (refusals.get(place) ?? 0) - nowMs));

  const decide = async (mode: 'take' | 'check', events: readonly LimitedEvent[]): Promise<LimitDecision> => {
    const named = events.map(nameOf);
    const places = named.map(placeOf);
    const waitMs = knownWaitMs(places, clock.monotonicMs());
    if (waitMs > 0) return { allowed: false, retryAfterMs: waitMs };
    const terms = named.flatMap(({ intervalMs, burst }) => [intervalMs, burst * intervalMs]);
    const keys = named.map(({ key }) => key);
    const decision = readDecision(await store.call(COUNT, keys, [mode, ...terms]));
    if (decision.allowed) return decision;
    refusals.set(places[decision.refused - 1] ?? '', clock.monotonicMs() + decision.retryAfterMs);
    return { allowed: false, retryAfterMs: decision.retryAfterMs };
  };

  return {
    take: (events) => decide('take', events),
    check: (events) => decide('check', events),
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
