import { FLIGHT_MS } from '#server/deadlines.ts';
import { LEAP_MS } from '#server/storage/redis/redis-clock.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import { LONGEST_BAN_MS } from '../egress-rules.ts';
import { COUNTED_MS } from '../invalid-requests.ts';

/**
 * `gate` (hash): the epoch and until when all rest (`restUntil`), the pace (`tat`), and by question until when it is banned
 * (`bannedUntil:…`) and until when a probe of that ban is waited for (`probeUntil:…`). `flights` (sorted set): requests in
 * flight; score = when to stop waiting for their answer. `invalid` (sorted set): invalid answers; score = when they stop
 * counting.
 */
export const PERMIT_KEYS = { gate: '{t}gate', flights: '{t}flights', invalid: '{t}invalid' } as const;

/** The longest rest after a loss of memory: with the time to notice it and the handshakes, lookups are back within a minute. */
export const LONGEST_REST_MS = 58_000;

/** A time farther ahead than its rule allows is reduced to that, permanently. */
const BOUNDED = `
local function bounded(hash, field, value, most)
  local at = tonumber(value or 0) or 0
  if at <= now + most then return at end
  redis.call('HSET', hash, field, ms(now + most))
  return now + most
end`;

/** In a store without an epoch, other nodes may still have to report that they used it before. */
const FIRST_HANDSHAKE_MS = 1_000;

export type PermitRefusal = 'rest' | 'ban' | 'probe' | 'pace' | 'invalid';

type PermitReply =
  | { readonly kind: 'stale-epoch' }
  | { readonly kind: 'granted'; readonly isProbe: boolean }
  /** `waitMs` is null where only an answer in flight can help. */
  | { readonly kind: 'refused'; readonly why: PermitRefusal; readonly waitMs: number | null };

/** Nothing is counted unless the request may leave. */
export const TAKE_PERMIT = defineScript({
  keys: ['gate', 'flights', 'invalid'],
  args: ['epoch', 'question', 'intervalMs', 'lateMs', 'limit', 'flight'],
  timed: true,
  functions: BOUNDED,
  lua: `
local state = redis.call('HMGET', gate, 'epoch', 'restUntil', 'tat',
  'bannedUntil:getUser', 'bannedUntil:' .. question, 'probeUntil:' .. question)
if state[1] ~= epoch then return {'stale-epoch'} end
local restUntil = bounded(gate, 'restUntil', state[2], ${LONGEST_REST_MS})
local tat = bounded(gate, 'tat', state[3], lateMs + intervalMs)
local allBannedUntil = bounded(gate, 'bannedUntil:getUser', state[4], ${LONGEST_BAN_MS})
local bannedUntil = bounded(gate, 'bannedUntil:' .. question, state[5], ${LONGEST_BAN_MS})
local probeUntil = bounded(gate, 'probeUntil:' .. question, state[6], ${FLIGHT_MS})
local function refuse(why, at) return {'refused', why, at and ms(at - now) or ''} end

if restUntil > now then return refuse('rest', restUntil) end
if math.max(allBannedUntil, bannedUntil) > now then return refuse('ban', math.max(allBannedUntil, bannedUntil)) end
local isProbe = bannedUntil > 0
if isProbe and probeUntil > now then return refuse('probe') end
if tat - lateMs > now then return refuse('pace', tat - lateMs) end

redis.call('ZREMRANGEBYSCORE', flights, '-inf', ms(now))
redis.call('ZREMRANGEBYSCORE', invalid, '-inf', ms(now))
local function countExcess() return redis.call('ZCARD', invalid) + redis.call('ZCARD', flights) + 1 - limit end
if countExcess() > 0 then
  redis.call('ZREMRANGEBYSCORE', flights, ms(now + ${FLIGHT_MS + LEAP_MS}), '+inf')
  redis.call('ZREMRANGEBYSCORE', invalid, ms(now + ${COUNTED_MS + LEAP_MS}), '+inf')
end
local excess = countExcess()
if excess > 0 then
  local freed = redis.call('ZRANGE', invalid, excess - 1, excess - 1, 'WITHSCORES')
  return refuse('invalid', freed[2] and tonumber(freed[2]))
end

redis.call('HSET', gate, 'tat', ms(math.max(tat, now) + intervalMs))
redis.call('ZADD', flights, ms(now + ${FLIGHT_MS}), flight)
if isProbe then redis.call('HSET', gate, 'probeUntil:' .. question, ms(now + ${FLIGHT_MS})) end
return {'granted', isProbe and 'probe' or ''}`,
  reply: (reply): PermitReply => {
    const [kind, second = '', wait = ''] = reply as readonly string[];
    if (kind === 'granted') return { kind, isProbe: second === 'probe' };
    if (kind === 'refused')
      return { kind, why: second as PermitRefusal, waitMs: wait === '' ? null : Number(wait) };
    return { kind: 'stale-epoch' };
  },
});

/** `moreArgs`: the flights whose answers were invalid, of this one and of those that could not be told before. */
export const SETTLE_PERMIT = defineScript({
  keys: ['gate', 'flights', 'invalid'],
  args: ['question', 'flight', 'banMs', 'isAnswered'],
  timed: true,
  lua: `
redis.call('ZREM', flights, flight)
for _, answer in ipairs(moreArgs) do redis.call('ZADD', invalid, ms(now + ${COUNTED_MS}), answer) end
local bannedUntil = tonumber(redis.call('HGET', gate, 'bannedUntil:' .. question) or 0) or 0
if banMs ~= '' then
  redis.call('HSET', gate, 'bannedUntil:' .. question, ms(math.max(bannedUntil, now + banMs)))
  redis.call('HDEL', gate, 'probeUntil:' .. question)
elseif bannedUntil > 0 and bannedUntil <= now then
  redis.call('HDEL', gate, 'probeUntil:' .. question)
  if isAnswered == '1' then redis.call('HDEL', gate, 'bannedUntil:' .. question) end
end`,
  reply: () => {},
});

/**
 * A node's first message to a Redis process, repeated whenever that process turns out to have lost its data. A node that
 * used it before the loss makes all nodes rest until every limit has refilled. `isVoid`: the node has found out that what
 * it knows of the epoch is worthless. `moreKeys`: everything that ends with an epoch, of these
 * `types`. `moreArgs`: the node's own invalid answers, as pairs of how long each counts and its member.
 */
export const HANDSHAKE = defineScript({
  keys: ['gate', 'invalid', 'layoutKey'],
  args: ['runId', 'knownEpoch', 'restMs', 'newName', 'layout', 'isVoid', 'types'],
  timed: true,
  functions: BOUNDED,
  lua: `
local pauseMs = 0
local function forget()
  redis.call('UNLINK', unpack(moreKeys))
  pauseMs = restMs
end
local n = 0
for expected in string.gmatch(types, '%S+') do
  n = n + 1
  local found = redis.call('TYPE', moreKeys[n]).ok
  if found ~= expected and found ~= 'none' then forget() end
end
if redis.call('TYPE', layoutKey).ok ~= 'string' then redis.call('DEL', layoutKey) end

local otherLayout = redis.call('GET', layoutKey)
if otherLayout and otherLayout ~= layout then return {'other-layout'} end
redis.call('SET', layoutKey, layout)
local epoch = redis.call('HGET', gate, 'epoch')
if isVoid == '1' and epoch == knownEpoch then
  forget()
  epoch = false
end
local isNew = not epoch or string.sub(epoch, 1, #runId) ~= runId
if isNew then pauseMs = math.max(pauseMs, (epoch or knownEpoch ~= '') and restMs or ${FIRST_HANDSHAKE_MS}) end
if isNew then epoch = runId .. ':' .. newName end
local isSurvivor = knownEpoch ~= '' and knownEpoch ~= epoch
if isSurvivor then pauseMs = restMs end
local restUntil = bounded(gate, 'restUntil', redis.call('HGET', gate, 'restUntil'), ${LONGEST_REST_MS})
redis.call('HSET', gate, 'epoch', epoch, 'restUntil', ms(math.max(restUntil, now + pauseMs)))
if isNew or isSurvivor then
  for n = 1, #moreArgs, 2 do redis.call('ZADD', invalid, ms(now + moreArgs[n]), moreArgs[n + 1]) end
end
return {'joined', epoch}`,
  reply: (reply) => {
    const [kind, epoch = ''] = reply as readonly string[];
    return kind === 'joined' ? { epoch } : null;
  },
});

/** For figures, and to notice an epoch that has ended. */
export const READ_STANDING = defineScript({
  keys: ['gate', 'invalid'],
  args: [],
  timed: true,
  functions: BOUNDED,
  lua: `
local state = redis.call('HMGET', gate, 'epoch', 'bannedUntil:getUser')
local bannedUntil = bounded(gate, 'bannedUntil:getUser', state[2], ${LONGEST_BAN_MS})
return {state[1] or '', redis.call('ZCOUNT', invalid, '(' .. ms(now), ms(now + ${COUNTED_MS + LEAP_MS})), ms(bannedUntil - now)}`,
  reply: (reply) => {
    const [epoch, invalid, banMs] = reply as readonly [string, number, string];
    return { epoch, invalid, banMs: Number(banMs) };
  },
});
