import { PERMIT_MS } from '#server/deadlines.ts';
import { NOW } from '#server/platform/permit-store/permit-scripts.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import {
  decodeRecord,
  FIRST_OF,
  IN_EPOCH,
  readTake,
  SUSPICION,
  TOKEN_KEY_NAMES,
} from './token-script-parts.ts';
import type { PutOutcome } from './token-store.ts';

/** A token that was removed is not added again by a node that has not heard of it yet. */
export const REMOVED_MS = 60_000;

/** Locks the token until its request counts: a node that dies meanwhile has sent nothing. */
export const TAKE_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch'],
  functions: NOW,
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
local isWaiting = #moreArgs == 0 and redis.call('ZCARD', away) > 0
return {'refused', id and not isWaiting and ms(freeAt - now) or ''}`,
  reply: readTake,
});

/** Unless the lock ran out and another node has the token by now. */
export const GIVE_BACK_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'id', 'lock', 'freeAt'],
  functions: NOW,
  lua: `${IN_EPOCH}
local score = redis.call('ZSCORE', usable, id)
if score and tonumber(score) == tonumber(lock) then redis.call('ZADD', usable, ms(math.max(now, freeAt)), id) end`,
  reply: () => {},
});

/** Compare and put: writes the record unless somebody else has meanwhile, and puts the token where it belongs. */
export const PUT_TOKEN = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'id', 'old', 'next', 'freeAt', 'awayUntil', 'coolUntil', 'because'],
  functions: NOW,
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
  functions: NOW,
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
  functions: NOW,
  lua: `
for _, place in ipairs({usable, away, cooling, suspects}) do redis.call('ZREM', place, id) end
redis.call('HDEL', records, id)
redis.call('ZADD', removed, ms(now), id)`,
  reply: () => {},
});

/** How many are where, and when the next suspect may be checked. */
export const READ_COUNTS = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: [],
  functions: NOW + SUSPICION,
  lua: `
redis.call('ZREMRANGEBYSCORE', cooling, '-inf', ms(now))
local isChecking = tonumber(redis.call('HGET', suspicion, 'checkUntil') or 0) > now
local checkAt = cjson.decode(readSuspicion(suspicion)).nextMs
return {redis.call('ZCARD', usable) + redis.call('ZCARD', away), redis.call('ZCARD', cooling),
  redis.call('ZCARD', suspects), isChecking and 'inf' or ms(checkAt - now)}`,
  reply: (reply) => {
    const [usable, cooling, suspect, checkIn] = reply as readonly [number, number, number, string];
    return {
      counts: { healthy: Math.max(0, usable - cooling), cooling, suspect },
      /** Infinity while one is being checked. */
      checkInMs: checkIn === 'inf' ? Infinity : Number(checkIn),
    };
  },
});
