import { FLIGHT_MS, GATE_LUA, NOW_LUA } from '#server/platform/shared/gate-scripts.ts';
import { defineRawScript } from '#server/storage/redis/script.ts';

/** Between taking a token and counting the request against it; a node that dies meanwhile has sent nothing. */
const LOCK_MS = 2_000;
/** What was taken out is not put in again by a node that has not heard of it yet. */
export const REMOVED_MS = 60_000;

/**
 * `order`: who may be used, by the time from when. `away`: only an answer can free them, by the time from when it is
 * not waited for any more. `cooling`: those of both that rest, until when.
 */
export const POOL_KEYS = ['{t}order', '{t}away', '{t}cooling', '{t}suspects', '{t}records', '{t}removed'];

/** With the keys of the pool from KEYS[at]. */
const poolKeys = (at: number): string =>
  `local order, away, cooling, suspects, records, removed = unpack(KEYS, ${at}, ${at + 5})\n`;

const IN_EPOCH = `
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'ungreeted'} end
`;

/** ARGV from [7]: those that the node does not know. They are left for others, and in their place. */
const FIRST_KNOWN = `
local strange = {}
for n = 7, #ARGV do strange[ARGV[n]] = true end
local function firstKnown(ids)
  for _, id in ipairs(ids) do if not strange[id] then return id end end
end
`;

/** The gate, and a token that may send now. */
export const TAKE = defineRawScript(`${GATE_LUA}${poolKeys(4)}${FIRST_KNOWN}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', away, '-inf', ms(now))) do
  redis.call('ZREM', away, id)
  redis.call('ZADD', order, ms(now), id)
end
local id = firstKnown(redis.call('ZRANGEBYSCORE', order, '-inf', ms(now), 'LIMIT', 0, #ARGV - 5))
if id then
  local lock = ms(now + ${LOCK_MS})
  redis.call('ZADD', order, lock, id)
  return grant(id, redis.call('HGET', records, id) or '', lock)
end
if redis.call('ZCARD', away) > 0 then return refuse('token', math.huge) end
local later = redis.call('ZRANGEBYSCORE', order, '(' .. ms(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return refuse('token', later[2] and tonumber(later[2]) or math.huge)`);

/** The gate, and a suspect to ask about: one at a time over all nodes, and not for ever if its node dies. */
export const TRY_SUSPECT = defineRawScript(`${GATE_LUA}${poolKeys(4)}${FIRST_KNOWN}
local trial = redis.call('HMGET', KEYS[1], 'trial', 'trial-next')
local at = math.max(tonumber(trial[1] or 0), tonumber(trial[2] or 0))
if at > now then return refuse('trial', at) end
local id = firstKnown(redis.call('ZRANGE', suspects, 0, #ARGV - 6))
if not id then return refuse('trial', now + 1000) end
local lock = ms(now + ${FLIGHT_MS})
redis.call('HSET', KEYS[1], 'trial', lock)
return grant(id, redis.call('HGET', records, id) or '', lock)`);

/** ARGV: epoch, lock. */
export const END_TRIAL = defineRawScript(`${IN_EPOCH}
if redis.call('HGET', KEYS[1], 'trial') == ARGV[2] then redis.call('HDEL', KEYS[1], 'trial') end
return {'ended'}`);

/** A token that was taken and is not used after all: free from ARGV[4] on, unless somebody else has it by now. */
export const GIVE_BACK = defineRawScript(`${NOW_LUA}${IN_EPOCH}${poolKeys(2)}
local score = redis.call('ZSCORE', order, ARGV[2])
if score and tonumber(score) == tonumber(ARGV[3]) then
  redis.call('ZADD', order, ms(math.max(now, ARGV[4])), ARGV[2])
end
return {'back'}`);

/**
 * Writes what is known of a token if nobody else has written meanwhile, and puts it where that says.
 * ARGV: epoch, id, old record, new record, when it is free or `away`, till when it is away, till when it cools, and what
 * for: to `spend`, to `report`, or to `suspect`.
 */
export const PUT = defineRawScript(`${NOW_LUA}${IN_EPOCH}${poolKeys(2)}
local _, id, old, new, freeAt, awayTill, coolTill, purpose = unpack(ARGV)
local at = redis.call('ZSCORE', order, id)
local isAway = redis.call('ZSCORE', away, id)
local isSuspect = not at and not isAway and redis.call('ZSCORE', suspects, id)
if not at and not isAway and not isSuspect then return {'gone'} end
if isSuspect and purpose == 'spend' then return {'gone'} end
local record = redis.call('HGET', records, id) or ''
if record ~= old then return {'lost', record} end
redis.call('HSET', records, id, new)
if isSuspect then return {'put', 'suspect'} end
if purpose == 'suspect' then
  for _, place in ipairs({order, away, cooling}) do redis.call('ZREM', place, id) end
  redis.call('ZADD', suspects, ms(now), id)
  return {'put', 'suspected'}
end
if tonumber(coolTill) > now then redis.call('ZADD', cooling, coolTill, id) end
if freeAt == 'away' then
  redis.call('ZREM', order, id)
  redis.call('ZADD', away, awayTill, id)
  return {'put', 'away'}
end
redis.call('ZREM', away, id)
freeAt = tonumber(freeAt)
-- Ready, and in its turn or just taken by somebody: an answer does not change that.
local keeps = purpose == 'report' and at and freeAt <= now and tonumber(at) <= now + ${LOCK_MS}
if not keeps then redis.call('ZADD', order, ms(math.max(freeAt, now)), id) end
return {'put', 'order'}`);

/** ARGV: epoch, ids. Those that are new are tried before all others. Gives back those that were taken out lately. */
export const ADD = defineRawScript(`${NOW_LUA}${IN_EPOCH}${poolKeys(2)}
redis.call('ZREMRANGEBYSCORE', removed, '-inf', ms(now - ${REMOVED_MS}))
local kept = {'added'}
for n = 2, #ARGV do
  local id = ARGV[n]
  local isThere = redis.call('ZSCORE', order, id) or redis.call('ZSCORE', away, id) or redis.call('ZSCORE', suspects, id)
  if not isThere then
    if redis.call('ZSCORE', removed, id) then table.insert(kept, id)
    else redis.call('ZADD', order, 0, id) end
  end
end
return kept`);

/** ARGV: id. From here on no node can take it. */
export const REMOVE = defineRawScript(`${NOW_LUA}${poolKeys(1)}
for _, place in ipairs({order, away, cooling, suspects}) do redis.call('ZREM', place, ARGV[1]) end
redis.call('HDEL', records, ARGV[1])
redis.call('ZADD', removed, ms(now), ARGV[1])
return {'removed'}`);

/** ARGV: epoch, old suspicion, new one, when the next suspect may be asked, whether all are suspects now. */
export const DOUBT = defineRawScript(`${NOW_LUA}${IN_EPOCH}${poolKeys(2)}
local _, old, new, nextAt, all = unpack(ARGV)
local suspicion = redis.call('HGET', KEYS[1], 'suspicion') or ''
if suspicion ~= old then return {'lost', suspicion} end
redis.call('HSET', KEYS[1], 'suspicion', new, 'trial-next', nextAt)
if all == '1' then
  redis.call('ZUNIONSTORE', suspects, 2, suspects, order)
  redis.call('DEL', order, cooling)
end
return {'put'}`);

/** ARGV: epoch, old suspicion, new one, new one if it was the last, when the next may be asked, id, verdict, free at. */
export const JUDGE = defineRawScript(`${NOW_LUA}${IN_EPOCH}${poolKeys(2)}
local _, old, new, over, nextAt, id, verdict, freeAt = unpack(ARGV)
local suspicion = redis.call('HGET', KEYS[1], 'suspicion') or ''
if suspicion ~= old then return {'lost', suspicion} end
redis.call('HDEL', KEYS[1], 'trial')
local was = redis.call('ZSCORE', suspects, id)
if was then
  redis.call('ZREM', suspects, id)
  if verdict == 'alive' then redis.call('ZADD', order, freeAt, id) end
  if verdict == 'unclear' then redis.call('ZADD', suspects, ms(now), id) end
  if verdict == 'dead' then
    redis.call('HDEL', records, id)
    redis.call('ZADD', removed, ms(now), id)
  end
end
local isOver = redis.call('ZCARD', suspects) == 0
redis.call('HSET', KEYS[1], 'suspicion', isOver and over or new, 'trial-next', nextAt)
return {'put', was and 'judged' or 'gone'}`);

/** How many are where. */
export const PICTURE = defineRawScript(`${NOW_LUA}${poolKeys(2)}
redis.call('ZREMRANGEBYSCORE', cooling, '-inf', ms(now))
local trial = redis.call('HMGET', KEYS[1], 'trial', 'trial-next')
return {ms(now), redis.call('ZCARD', order) + redis.call('ZCARD', away), redis.call('ZCARD', cooling),
  redis.call('ZCARD', suspects), ms(math.max(tonumber(trial[1] or 0), tonumber(trial[2] or 0)))}`);
