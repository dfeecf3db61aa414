import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { CLOCK_TOLERANCE_MS } from '#server/storage/redis/redis-info.ts';
import { defineScript } from '#server/storage/redis/script.ts';
import { unavailable, type Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';
import {
  COUNT_FUNCTION,
  readCount,
  type RedisVisitorCounters,
} from '#server/visitors/redis-visitor-counters.ts';
import type { SpentProofs } from './spent-proofs.ts';

type Signer = { readonly runId: string; readonly secret: string; readonly key: KeyObject };

/** An id runs out by Redis's clock and a proof by ours; each may be off by the tolerance, at either time. */
const REMEMBERED_LONGER_MS = 3 * CLOCK_TOLERANCE_MS;
/** Renewed while it is used; the keys of processes that are gone do not pile up. */
const KEY_SECONDS = 86_400;

/** After a failover another process has the key too, but not the memory that belongs to it. */
const IS_PROCESS_FUNCTION = `
local function isProcess(runId)
  return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') == runId
end`;

const ADOPT = defineScript({
  keys: ['signingKey'],
  args: ['runId', 'offered', 'seconds', 'existing'],
  functions: IS_PROCESS_FUNCTION,
  lua: `
if not isProcess(runId) then return nil end
if existing == 'replace' then redis.call('DEL', signingKey) end
redis.call('SET', signingKey, offered, 'NX')
redis.call('EXPIRE', signingKey, seconds)
return redis.call('GET', signingKey)`,
  reply: (secret) => secret as string | null,
});

/** Answers as `count` does, or with why nothing was counted. */
const SPEND = defineScript({
  keys: ['signingKey', 'spent'],
  args: ['runId', 'secret', 'rememberedMs', 'ourNowMs'],
  functions: IS_PROCESS_FUNCTION + COUNT_FUNCTION,
  lua: `
if not isProcess(runId) or redis.call('GET', signingKey) ~= secret then return {'lost'} end
if math.abs(redis.call('TIME')[1] * 1000 - ourNowMs) > ${CLOCK_TOLERANCE_MS} then return {'clock'} end
if redis.call('EXISTS', spent) == 1 then return {'used'} end
local counted = count(moreKeys, moreArgs)
if counted[1] == 'pressure' then redis.call('SET', spent, '', 'PX', rememberedMs) end
return counted`,
  reply: (reply) => {
    const [word] = reply as ['lost' | 'clock' | 'used' | 'pressure' | 'wait'];
    return word === 'pressure' || word === 'wait' ? readCount(reply) : word;
  },
});

/**
 * For all nodes. The memory is one Redis process, named by its `run_id`: the key belongs to it, and no other
 * process can spend what was signed with it, whatever it inherited.
 */
export const createRedisSpentProofs = (
  { clock, random }: System,
  store: SharedStore,
  counters: Pick<RedisVisitorCounters, 'charge'>,
): SpentProofs => {
  let signer: Signer | undefined;
  const keyName = (runId: string): string => store.key(`key:${runId}`);

  const adopt = async ({ runId, run }: Session, existing: 'keep' | 'replace'): Promise<void> => {
    const offered = random.bytes(32).toString('hex');
    const args = { runId, offered, seconds: KEY_SECONDS, existing };
    const secret = await run(ADOPT, { keys: { signingKey: keyName(runId) }, args });
    if (secret === null) throw unavailable();
    if (secret === signer?.secret && runId === signer.runId) return;
    signer = { runId, secret, key: createSecretKey(secret, 'hex') };
  };

  store.onSession((session, { clockLeapt }) => adopt(session, clockLeapt ? 'replace' : 'keep'));
  // After a `FLUSHALL` another node may have made a new key.
  store.everySecond((session) => adopt(session, 'keep'));

  return {
    signingKey: () => {
      store.session();
      if (signer === undefined) throw new Error('A session has begun without a handshake.');
      return signer.key;
    },
    spend: async ({ challengeId, ttlMs, key }, events) => {
      if (signer === undefined || !signer.key.equals(key)) return 'invalid';
      const { runId, secret } = signer;
      const session = store.session();
      const { decide, ...charge } = counters.charge(events);
      const spent = store.key(`s:${hash('sha256', challengeId, 'base64url').slice(0, 22)}`);
      const rememberedMs = Math.ceil(ttlMs + REMEMBERED_LONGER_MS);
      const reply = await session.run(SPEND, {
        keys: { signingKey: keyName(runId), spent },
        args: { runId, secret, rememberedMs, ourNowMs: clock.wallMs() },
        ...charge,
      });
      if (reply === 'used') return 'used';
      if (reply === 'clock') throw unavailable();
      if (reply === 'lost') {
        await adopt(session, 'keep');
        return 'invalid';
      }
      const decision = decide(reply);
      return decision.allowed ? 'accepted' : decision;
    },
  };
};
