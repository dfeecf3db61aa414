import type { RecentCount } from '#server/observability/recent-count.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';

type Counts<T> = { readonly served: T; readonly refused: T };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const KEPT_SECONDS = 2 * 3_600;

/** Each hour has a hash of its minutes. Best effort: what is no such hash, or no number in it, counts for nothing. */
const COUNT_LOOKUPS = defineScript({
  keys: ['hour', 'hourBefore'],
  args: ['minute', 'served', 'refused', 'keptSeconds'],
  functions: `
local function open(key)
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', key) end
end
local function add(key, field, n)
  redis.call('HSET', key, field, (tonumber(redis.call('HGET', key, field)) or 0) + n)
end`,
  lua: `
open(hour)
open(hourBefore)
if served ~= '0' then add(hour, minute .. ' served', served) end
if refused ~= '0' then add(hour, minute .. ' refused', refused) end
redis.call('EXPIRE', hour, keptSeconds)
local sums = { served = 0, refused = 0 }
for key, isBefore in pairs({ [hour] = false, [hourBefore] = true }) do
  local cells = redis.call('HGETALL', key)
  for n = 1, #cells, 2 do
    local at, name = string.match(cells[n], '^(%d+) (%l+)$')
    if sums[name] and (not isBefore or tonumber(at) > tonumber(minute)) then
      sums[name] = sums[name] + (tonumber(cells[n + 1]) or 0)
    end
  end
end
return { sums.served, sums.refused }`,
  reply: (reply): Counts<number> => {
    const [served = 0, refused = 0] = (reply as readonly number[]).map(Number);
    return { served, refused };
  },
});

/** The lookups of the last hour at all nodes: each adds its own to the store every second, and reads the sums. */
export const createSharedLookupCounts = (
  store: Pick<SharedStore, 'key' | 'storeNowMs' | 'everySecond'>,
  own: Counts<RecentCount>,
): Counts<Pick<RecentCount, 'total'>> => {
  const told = { served: 0, refused: 0 };
  let known = { served: 0, refused: 0 };
  const untold = (name: keyof typeof told): number => own[name].added() - told[name];

  store.everySecond(async (session) => {
    const news = { served: untold('served'), refused: untold('refused') };
    const nowMs = store.storeNowMs();
    const hour = Math.floor(nowMs / HOUR_MS);
    known = await session.run(COUNT_LOOKUPS, {
      keys: { hour: store.key(`lookups:${hour}`), hourBefore: store.key(`lookups:${hour - 1}`) },
      args: { minute: Math.floor((nowMs % HOUR_MS) / MINUTE_MS), ...news, keptSeconds: KEPT_SECONDS },
    });
    told.served += news.served;
    told.refused += news.refused;
  });

  return {
    served: { total: () => known.served + untold('served') },
    refused: { total: () => known.refused + untold('refused') },
  };
};
