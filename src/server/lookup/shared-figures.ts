import {
  createOwnFigures,
  HOUR_MS,
  HOURS,
  type Figures,
  type OwnCounts,
} from '#server/observability/own-figures.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';

const MINUTE_MS = 60_000;
const MINUTES_KEPT_SECONDS = 2 * 3_600;
/** Longer than a day, so that a clock of Redis that is a day ahead for a moment makes it forget nothing. */
const DAY_KEPT_SECONDS = 2 * 86_400;
/** Every node reads the store at least once in this time. */
const WINDOW_MS = 2_000;

/**
 * Each hour has a hash of its minutes. The hash `day` holds what was published last, and for each hour how many were
 * served and refused in it and how many tokens were healthy at most. The first node that comes in a window publishes;
 * one that comes without a window only reads. Best effort: what is no such hash, or no number in it, counts for nothing.
 */
const PUBLISH_FIGURES = defineScript({
  keys: ['hour', 'hourBefore', 'day'],
  args: ['hourNumber', 'minute', 'served', 'refused', 'window', 'healthy', 'cooling'],
  functions: `
local function open(key)
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', key) end
end
local function add(key, field, n)
  redis.call('HSET', key, field, (tonumber(redis.call('HGET', key, field)) or 0) + n)
end
local function sum(key, afterMinute)
  local sums = { served = 0, refused = 0 }
  local cells = redis.call('HGETALL', key)
  for n = 1, #cells, 2 do
    local at, name = string.match(cells[n], '^(%d+) (%l+)$')
    if sums[name] and tonumber(at) > afterMinute then
      sums[name] = sums[name] + (tonumber(cells[n + 1]) or 0)
    end
  end
  return sums
end
local function keep(day, number, sums, healthy)
  local known = redis.call('HGET', day, number) or ''
  local served, refused, most = string.match(known, '^(%d+) (%d+) (%d+)$')
  if not (served or healthy) and sums.served + sums.refused == 0 then return end
  redis.call('HSET', day, number, string.format('%d %d %d', math.max(served or 0, sums.served),
    math.max(refused or 0, sums.refused), math.max(most or 0, healthy or 0)))
end`,
  lua: `
open(hour)
open(hourBefore)
open(day)
if served ~= '0' then add(hour, minute .. ' served', served) end
if refused ~= '0' then add(hour, minute .. ' refused', refused) end
redis.call('EXPIRE', hour, ${MINUTES_KEPT_SECONDS})

local publishedIn = tonumber(string.match(redis.call('HGET', day, 'published') or '', '^%d+')) or 0
window = tonumber(window)
if window and (window > publishedIn or window < publishedIn - 1) then
  local sums, rest = sum(hour, -1), sum(hourBefore, tonumber(minute))
  redis.call('HSET', day, 'published', string.format('%.0f %d %d %d %d', window,
    sums.served + rest.served, sums.refused + rest.refused, healthy, cooling))
  keep(day, hourNumber - 1, sum(hourBefore, -1))
  keep(day, hourNumber, sums, healthy)
  for _, field in ipairs(redis.call('HKEYS', day)) do
    local number = tonumber(field) or 0
    if field ~= 'published' and (number > tonumber(hourNumber) or number <= hourNumber - ${HOURS}) then
      redis.call('HDEL', day, field)
    end
  end
  redis.call('EXPIRE', day, ${DAY_KEPT_SECONDS})
end
return redis.call('HGETALL', day)`,
  reply: (reply) => {
    const fields = reply as readonly string[];
    const numbers = (text = ''): number[] => (/^\d+( \d+)*$/.test(text) ? text.split(' ').map(Number) : []);
    const day = fields.flatMap((name, n) => (n % 2 ? [] : [[name, numbers(fields[n + 1])] as const]));
    const [window = 0, ...published] = new Map(day).get('published') ?? [];
    return { window, published, day };
  },
});

type Published = { readonly window: number; readonly figures: Figures };

/** The figures of all nodes, the same on each: all switch to what was published when its window is over. */
export const createSharedFigures = (
  clock: Clock,
  store: Pick<SharedStore, 'key' | 'storeNowMs' | 'onSession' | 'everySecond'>,
  own: OwnCounts,
): (() => Figures) => {
  const { served, refused } = own.recent;
  const ownFigures = createOwnFigures(clock, own);
  const told = { served: 0, refused: 0 };
  let shown: Published | undefined;
  let next: Published | undefined;
  // Before the first second is over, this node does not know how many tokens the others have.
  let knowsTokens = false;

  const goOver = (): void => {
    if (next !== undefined && store.storeNowMs() >= (next.window + 1) * WINDOW_MS) shown = next;
  };

  const exchange = async (session: Session): Promise<void> => {
    const news = { served: served.added() - told.served, refused: refused.added() - told.refused };
    const nowMs = store.storeNowMs();
    const hour = Math.floor(nowMs / HOUR_MS);
    const window = Math.floor(nowMs / WINDOW_MS);
    const read = await session.run(PUBLISH_FIGURES, {
      keys: {
        hour: store.key(`lookups:${hour}`),
        hourBefore: store.key(`lookups:${hour - 1}`),
        day: store.key('lookups:day'),
      },
      args: {
        hourNumber: hour,
        minute: Math.floor((nowMs % HOUR_MS) / MINUTE_MS),
        ...news,
        window: knowsTokens ? window : '',
        ...own.tokens(),
      },
    });
    told.served += news.served;
    told.refused += news.refused;
    goOver();
    // Nothing yet, or from a clock that was ahead.
    if (read.window === 0 || read.window > window + 1) return;
    next = { window: read.window, figures: toFigures(read, hour) };
  };

  store.onSession(exchange);
  store.everySecond(async (session) => {
    await exchange(session);
    knowsTokens = true;
  });

  return () => {
    goOver();
    return (shown ?? next)?.figures ?? ownFigures();
  };
};

const toFigures = (
  { window, published, day }: ReturnType<typeof PUBLISH_FIGURES.read>,
  thisHour: number,
): Figures => {
  const [served = 0, refused = 0, healthy = 0, cooling = 0] = published;
  return {
    tokens: { healthy, cooling },
    lookups_last_hour: { served, refused },
    last_24_hours: day
      .map(([name, counts]) => [Number(name), counts] as const)
      .filter(([hour]) => hour > thisHour - HOURS && hour <= thisHour)
      .toSorted(([one], [other]) => one - other)
      .map(([hour, [ofServed = 0, ofRefused = 0, most = 0]]) => ({
        from: new Date(hour * HOUR_MS).toISOString(),
        served: ofServed,
        refused: ofRefused,
        tokens_healthy: most,
      })),
    updated_at: new Date(window * WINDOW_MS).toISOString(),
  };
};
