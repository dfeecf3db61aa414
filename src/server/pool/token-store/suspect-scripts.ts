import { FLIGHT_MS } from '#server/deadlines.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import type { Suspicion } from '../rules/suspicion.ts';
import { FIRST_OF, IN_EPOCH, readTake, STALE, SUSPICION, TOKEN_KEY_NAMES } from './token-script-parts.ts';

/** One suspect at a time over all nodes, and not for ever if its node dies. */
export const TAKE_SUSPECT = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch'],
  timed: true,
  functions: SUSPICION,
  lua: `${IN_EPOCH}${FIRST_OF}
if isChecking(suspicion, now) then return {'refused', ''} end
local at = checkAt(suspicion, now)
if at > now then return {'refused', ms(at - now)} end
local id = firstOf(suspects)
if not id then return {'refused', '1000'} end
local lock = ms(now + ${FLIGHT_MS})
redis.call('HSET', suspicion, 'checkUntil', lock)
return {'taken', id, redis.call('HGET', records, id) or '', ms(now), lock, epoch}`,
  reply: readTake,
});

export const GIVE_BACK_SUSPECT = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'lock'],
  lua: `${IN_EPOCH}
if redis.call('HGET', suspicion, 'checkUntil') == lock then redis.call('HDEL', suspicion, 'checkUntil') end`,
  reply: () => {},
});

type SuspicionReply =
  | typeof STALE
  | { readonly kind: 'changed'; readonly suspicion: Suspicion }
  | { readonly kind: 'put'; readonly wasSuspect: boolean };

/** Compare and put, like a token's record. `effect`: none, suspect-all, or the verdict on the suspect `id`. */
export const CHANGE_SUSPICION = defineScript({
  keys: TOKEN_KEY_NAMES,
  args: ['epoch', 'old', 'next', 'nextIfNone', 'effect', 'id', 'freeAt', 'coolUntil'],
  timed: true,
  functions: SUSPICION,
  lua: `${IN_EPOCH}
local current = readSuspicion(suspicion)
if current ~= old then return {'changed', current} end
local wasSuspect = false
if effect == 'suspect-all' then
  redis.call('ZUNIONSTORE', suspects, 2, suspects, usable)
  redis.call('DEL', usable)
  redis.call('ZDIFFSTORE', cooling, 2, cooling, suspects)
elseif effect ~= 'none' then
  redis.call('HDEL', suspicion, 'checkUntil')
  wasSuspect = redis.call('ZREM', suspects, id) == 1
  if wasSuspect and effect == 'alive' then
    redis.call('ZADD', usable, ms(math.max(now, freeAt)), id)
    if tonumber(coolUntil) > now then redis.call('ZADD', cooling, coolUntil, id) end
  end
  if wasSuspect and effect == 'unclear' then redis.call('ZADD', suspects, ms(now), id) end
  if wasSuspect and effect == 'dead' then
    redis.call('HDEL', records, id)
    redis.call('ZADD', removed, ms(now), id)
  end
end
redis.call('HSET', suspicion, 'record', redis.call('ZCARD', suspects) == 0 and nextIfNone or next)
return {'put', wasSuspect and 'suspect' or ''}`,
  reply: (reply): SuspicionReply => {
    const [kind, second = ''] = reply as readonly string[];
    if (kind === 'put') return { kind, wasSuspect: second === 'suspect' };
    return kind === 'changed' ? { kind, suspicion: JSON.parse(second) as Suspicion } : STALE;
  },
});
