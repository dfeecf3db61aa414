import { FLIGHT_MS, PERMIT_MS } from '#server/deadlines.ts';
import { MAX_WAIT_MS } from '#server/platform/rate-limit-headers.ts';
import { LEAP_MS } from '#server/storage/redis/redis-clock.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import {
  decodeRecord,
  FIRST_OF,
  IN_EPOCH,
  readTake,
  SUSPICION,
  TOKEN_KEY_NAMES,
} from './token-script-parts.ts';
import type { TokenRecord } from '../rules/token-record.ts';
import type { PutOutcome } from './token-store.ts';

/** A token that was removed is not added again by a node that has not heard of it yet. */
export const REMOVED_MS = 60_000;

/** Locks the token until its request counts: a node that dies meanwhile has sent nothing. */
export const TAKE_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch'],
  timed: true,
  lua: `${IN_EPOCH}${FIRST_OF}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', away, '-inf', ms(now))) do
  redis.call('ZREM', away, id)
  redis.call('ZADD', usable, ms(now), id)
end
local id, freeAt = firstOf(usable)
if id and tonumber(freeAt) <= tonumber(ms(now)) then
  local lock = ms(now + ${PERMIT_MS})
  redis.call('ZADD', usable, lock, id)
  return {'taken', id, redis.call('HGET', records, id) or '', ms(now), lock, epoch}
end
-- What is not to be had for longer than any rule allows is looked at again.
for _, place in ipairs({usable, away}) do
  local most = place == usable and ${MAX_WAIT_MS + LEAP_MS} or ${FLIGHT_MS + LEAP_MS}
  for _, far in ipairs(redis.call('ZRANGEBYSCORE', place, ms(now + most), '+inf', 'LIMIT', 0, 100)) do
    redis.call('ZREM', place, far)
    redis.call('ZADD', usable, ms(now), far)
  end
end
local isWaiting = #moreArgs == 0 and redis.call('ZCARD', away) > 0
return {'refused', id and not isWaiting and ms(freeAt - now) or ''}`,
  reply: readTake,
});

/** Unless the lock ran out and another node has the token by now. */
export const GIVE_BACK_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'id', 'lock', 'freeAt'],
  timed: true,
  lua: `${IN_EPOCH}
local score = redis.call('ZSCORE', usable, id)
if score and tonumber(score) == tonumber(lock) then redis.call('ZADD', usable, ms(math.max(now, freeAt)), id) end`,
  reply: () => {},
});

/** Compare and put: writes the record unless somebody else has meanwhile, and puts the token where it belongs. */
export const PUT_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'id', 'old', 'next', 'freeAt', 'awayUntil', 'coolUntil', 'because'],
  timed: true,
  lua: `${IN_EPOCH}
local usableAt = redis.call('ZSCORE', usable, id)
local isAway = redis.call('ZSCORE', away, id)
local isSuspect = redis.call('ZSCORE', suspects, id)
if not usableAt and not isAway and not isSuspect then return {'gone'} end
if isSuspect and because == 'send' then return {'gone'} end
local record = redis.call('HGET', records, id) or ''
if record ~= old then return {'changed', record} end
redis.call('HSET', records, id, next)
if isSuspect then return {'put', ''} end

if because == 'suspect' then
  for _, place in ipairs({usable, away, cooling}) do redis.call('ZREM', place, id) end
  redis.call('ZADD', suspects, ms(now), id)
  return {'put', 'suspected'}
end
if tonumber(coolUntil) > now then redis.call('ZADD', cooling, coolUntil, id) end
if freeAt == 'away' then
  redis.call('ZREM', usable, id)
  redis.call('ZADD', away, awayUntil, id)
  return {'put', ''}
end
redis.call('ZREM', away, id)
-- Free, and in its turn or just taken: an answer does not change that.
local isFree = tonumber(freeAt) <= now
local keepsTurn = because == 'answer' and isFree and usableAt and tonumber(usableAt) <= now + ${PERMIT_MS}
if not keepsTurn then redis.call('ZADD', usable, isFree and ms(now) or freeAt, id) end
return {'put', ''}`,
  reply: (reply): PutOutcome => {
    const [kind, second = ''] = reply as readonly string[];
    if (kind === 'put') return { kind, isNewSuspect: second === 'suspected' };
    return kind === 'changed' ? { kind, record: decodeRecord(second) } : { kind: 'gone' };
  },
});

/** `moreArgs`: the ids. New ones come before all others. Replies with those that were removed lately and stay out; null in another epoch. */
export const ADD_TOKENS = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch'],
  timed: true,
  lua: `${IN_EPOCH}
redis.call('ZREMRANGEBYSCORE', removed, '-inf', ms(now - ${REMOVED_MS}))
local reply = {'added'}
for _, id in ipairs(moreArgs) do
  local isThere = redis.call('ZSCORE', usable, id) or redis.call('ZSCORE', away, id) or redis.call('ZSCORE', suspects, id)
  if not isThere then
    if redis.call('ZSCORE', removed, id) then table.insert(reply, id) else redis.call('ZADD', usable, 0, id) end
  end
end
return reply`,
  reply: (reply) => {
    const [kind, ...late] = reply as readonly string[];
    return kind === 'added' ? late : null;
  },
});

/** In any epoch: from here on no node can take it. */
export const REMOVE_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['id'],
  timed: true,
  lua: `
for _, place in ipairs({usable, away, cooling, suspects}) do redis.call('ZREM', place, id) end
redis.call('HDEL', records, id)
redis.call('ZADD', removed, ms(now), id)`,
  reply: () => {},
});

/** Which are where, and what is known of them. */
export const READ_TOKENS = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: [],
  lua: `
local function all(place) return redis.call('ZRANGE', place, 0, -1) end
return {all(usable), all(away), all(suspects), redis.call('HGETALL', records)}`,
  reply: (reply) => {
    const [usable, away, suspects, fields] = reply as readonly [string[], string[], string[], string[]];
    const records = new Map<string, TokenRecord | null>();
    for (let n = 0; n < fields.length; n += 2)
      records.set(fields[n] ?? '', decodeRecord(fields[n + 1] ?? ''));
    return { usable: [...usable, ...away], suspects, records };
  },
});

/** How many are where, when the next suspect may be checked, and whether tokens are gone that nobody has removed. */
export const READ_COUNTS = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: [],
  timed: true,
  functions: SUSPICION,
  lua: `
redis.call('ZREMRANGEBYSCORE', cooling, '-inf', ms(now))
redis.call('ZREMRANGEBYSCORE', cooling, ms(now + ${MAX_WAIT_MS + LEAP_MS}), '+inf')
local inUse, suspected = redis.call('ZCARD', usable) + redis.call('ZCARD', away), redis.call('ZCARD', suspects)
local checkIn = isChecking(suspicion, now) and 'inf' or ms(checkAt(suspicion, now) - now)
-- A record goes with its token.
local isLost = redis.call('HLEN', records) > inUse + suspected
return {inUse, redis.call('ZCARD', cooling), suspected, checkIn, isLost and 'lost' or ''}`,
  reply: (reply) => {
    const [usable, cooling, suspect, checkIn, lost] = reply as readonly [
      number,
      number,
      number,
      string,
      string,
    ];
    return {
      isLost: lost === 'lost',
      counts: { healthy: Math.max(0, usable - cooling), cooling, suspect },
      /** Infinity while one is being checked. */
      checkInMs: checkIn === 'inf' ? Infinity : Number(checkIn),
    };
  },
});
