import { defineRawScript } from '#server/storage/redis/script.ts';
import { CELL_MS, WINDOW_MS } from '../invalid-request-governor.ts';

/** A request whose answer was never reported is not under way for longer; no call takes as long. */
export const FLIGHT_MS = 15_000;
/** When to ask again where only an answer that another node waits for can help. */
const POLL_MS = 50;
/** On a store that nobody has greeted, others may still have to say that they were there before. */
const FIRST_GREETING_MS = 1_000;

/** The engine's clock holds for all nodes. Times go in and out as text: Lua's own would be cut short. */
export const NOW_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function ms(value) return string.format('%.3f', value) end
`;

/**
 * What every request to the platform has to pass, and what a script goes on with: KEYS[1] to [3], ARGV[1] to [6].
 * Nothing is taken before `grant()`.
 */
export const GATE_LUA = `${NOW_LUA}
local function refuse(why, at) return {'refused', ms(now), why, at == math.huge and 'never' or ms(at)} end
local epoch, question, intervalMs, lateMs, limit, flight = unpack(ARGV, 1, 6)
local gate = redis.call('HMGET', KEYS[1], 'epoch', 'rest', 'tat', 'ban:getUser', 'ban:' .. question, 'probe:' .. question)
if gate[1] ~= epoch then return {'ungreeted'} end
local rest, tat = tonumber(gate[2] or 0), tonumber(gate[3] or 0)
local stop, ban, probe = tonumber(gate[4] or 0), tonumber(gate[5] or 0), tonumber(gate[6] or 0)
if rest > now then return refuse('rest', rest) end
if stop > now then return refuse('ban', stop) end
if ban > now then return refuse('ban', ban) end
if ban > 0 and probe > now then return refuse('ban', now + ${POLL_MS}) end
if tat - lateMs > now then return refuse('pace', tat - lateMs) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ms(now))
local cells, total = {}, 0
local counts = redis.call('HGETALL', KEYS[3])
for n = 1, #counts, 2 do
  local freeAt = counts[n] + ${CELL_MS + WINDOW_MS}
  if freeAt > now then
    total = total + counts[n + 1]
    table.insert(cells, {freeAt, tonumber(counts[n + 1])})
  end
end
local excess = total + redis.call('ZCARD', KEYS[2]) + 1 - limit
if excess > 0 then
  table.sort(cells, function(a, b) return a[1] < b[1] end)
  for _, cell in ipairs(cells) do
    excess = excess - cell[2]
    if excess <= 0 then return refuse('invalid', cell[1]) end
  end
  return refuse('invalid', now + ${POLL_MS})
end
local function grant(...)
  redis.call('HSET', KEYS[1], 'tat', ms(math.max(tat, now) + intervalMs))
  redis.call('ZADD', KEYS[2], ms(now + ${FLIGHT_MS}), flight)
  if ban > 0 then redis.call('HSET', KEYS[1], 'probe:' .. question, ms(now + ${FLIGHT_MS})) end
  return {'granted', ms(now), ban > 0 and 1 or 0, ...}
end
`;

export const PASS = defineRawScript(`${GATE_LUA}
return grant()`);

/**
 * KEYS: gate, flights, invalid. ARGV: question, flight, how many invalid answers, how long a ban lasts or nothing,
 * whether there was an answer.
 */
export const SETTLE = defineRawScript(`${NOW_LUA}
local question, flight, invalid, banMs, outcome = unpack(ARGV)
redis.call('ZREM', KEYS[2], flight)
if tonumber(invalid) > 0 then
  redis.call('HINCRBY', KEYS[3], ms(now - now % ${CELL_MS}), invalid)
  for _, start in ipairs(redis.call('HKEYS', KEYS[3])) do
    if start + ${CELL_MS + WINDOW_MS} <= now then redis.call('HDEL', KEYS[3], start) end
  end
end
local ban = tonumber(redis.call('HGET', KEYS[1], 'ban:' .. question) or 0)
if banMs ~= '' then
  redis.call('HSET', KEYS[1], 'ban:' .. question, ms(math.max(ban, now + banMs)))
  redis.call('HDEL', KEYS[1], 'probe:' .. question)
elseif ban > 0 and ban <= now then
  redis.call('HDEL', KEYS[1], 'probe:' .. question)
  if outcome == 'answered' then redis.call('HDEL', KEYS[1], 'ban:' .. question) end
end
return 'settled'`);

/**
 * The first word of a node to a process of the engine, and again whenever that process turns out to have forgotten.
 * Whoever was there before it forgot makes everybody rest for as long as the platform's own memory lasts.
 * KEYS: gate, invalid, layout. ARGV: run id, the epoch that the node knows or nothing, how long to rest, a name for a new
 * epoch, layout, whether the clock leapt, then the node's own invalid answers: cell, count, cell, count …
 */
export const GREET = defineRawScript(`${NOW_LUA}
local runId, known, restMs, name, layout, leapt = unpack(ARGV, 1, 6)
local other = redis.call('GET', KEYS[3])
if other and other ~= layout then return {'layout', other} end
redis.call('SET', KEYS[3], layout)
local epoch = redis.call('HGET', KEYS[1], 'epoch')
local isNew = not epoch or string.sub(epoch, 1, #runId) ~= runId
local pauseMs = 0
if isNew then pauseMs = (epoch or known ~= '') and restMs or ${FIRST_GREETING_MS} end
if isNew then epoch = runId .. ':' .. name end
local isSurvivor = known ~= '' and known ~= epoch
if isSurvivor or leapt == '1' then pauseMs = restMs end
local rest = tonumber(redis.call('HGET', KEYS[1], 'rest') or 0)
redis.call('HSET', KEYS[1], 'epoch', epoch, 'rest', ms(math.max(rest, now + pauseMs)))
if isNew or isSurvivor then
  for n = 7, #ARGV, 2 do redis.call('HINCRBY', KEYS[2], ARGV[n], ARGV[n + 1]) end
end
return {'greeted', epoch}`);

/** How we stand, for those who only want to know. KEYS: gate, invalid. */
export const STANDING = defineRawScript(`${NOW_LUA}
local total = 0
local counts = redis.call('HGETALL', KEYS[2])
for n = 1, #counts, 2 do
  if counts[n] + ${CELL_MS + WINDOW_MS} > now then total = total + counts[n + 1] end
end
local gate = redis.call('HMGET', KEYS[1], 'epoch', 'ban:getUser')
return {gate[1] or '', ms(now), total, gate[2] or '0'}`);
