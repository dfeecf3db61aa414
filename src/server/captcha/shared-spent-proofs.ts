import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { defineRawScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import { CLOCK_TOLERANCE_MS } from '#server/storage/redis/redis-info.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';
import { COUNT_FUNCTION, type SharedVisitorCounters } from '#server/visitors/shared-visitor-counters.ts';
import type { SpendOutcome, SpentProofs } from './spent-proofs.ts';

type Signer = { readonly runId: string; readonly secret: string; readonly key: KeyObject };

/** An id runs out by Redis's clock and a proof by ours; each may be off by the tolerance, at either time. */
const REMEMBERED_LONGER_MS = 3 * CLOCK_TOLERANCE_MS;
/** Kept up while it is used; the keys of processes that are gone do not pile up. */
const KEY_SECONDS = 86_400;

/** Only the process that the key belongs to may say anything about it: another has the name too, after a failover. */
const IN_THIS_PROCESS = `
if string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') ~= ARGV[1] then return 'lost' end`;

const ADOPT = defineRawScript(`${IN_THIS_PROCESS}
if ARGV[4] == 'replace' then redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'NX')
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('GET', KEYS[1])`);

/** Keys and terms of what is counted with it come last. */
const SPEND = defineRawScript(`${COUNT_FUNCTION}${IN_THIS_PROCESS}
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 'lost' end
if math.abs(redis.call('TIME')[1] * 1000 - ARGV[4]) > ${CLOCK_TOLERANCE_MS} then return 'clock' end
if redis.call('EXISTS', KEYS[2]) == 1 then return 'used' end
local counted = count({unpack(KEYS, 3)}, {unpack(ARGV, 5)})
if counted[1] == 'yes' then redis.call('SET', KEYS[2], '', 'PX', ARGV[3]) end
return counted`);

const OUTCOMES: Readonly<Record<string, SpendOutcome>> = {
  used: 'used',
  lost: 'invalid',
  clock: 'unavailable',
};

/**
 * For all nodes. The memory is one Redis process, named by its `run_id`: the key belongs to it, and no other
 * process can spend what was signed with it, whatever it inherited.
 */
export const createSharedSpentProofs = (
  { clock, random }: System,
  store: SharedStore,
  counters: Pick<SharedVisitorCounters, 'charge'>,
): SpentProofs => {
  const signers = new WeakMap<KeyObject, Signer>();
  let current: Signer | undefined;
  const keyName = (runId: string): string => store.key(`key:${runId}`);

  const adopt = async ({ runId, call }: Session, whatIsThere: 'keep' | 'replace'): Promise<void> => {
    const offered = random.bytes(32).toString('hex');
    const secret = await call(ADOPT, [keyName(runId)], [runId, offered, KEY_SECONDS, whatIsThere]);
    if (typeof secret !== 'string' || secret === 'lost') throw new Error('Another process answered.');
    if (secret === current?.secret && runId === current.runId) return;
    current = { runId, secret, key: createSecretKey(secret, 'hex') };
    signers.set(current.key, current);
  };

  store.onSession((session, { clockLeapt }) => adopt(session, clockLeapt ? 'replace' : 'keep'));
  // After a `FLUSHALL` another node may have made a new key.
  store.everySecond((session) => adopt(session, 'keep'));

  return {
    signingKey: async () => {
      store.session();
      if (current === undefined) throw new Error('Nobody has greeted the shared store.');
      return current.key;
    },
    spend: async ({ challengeId, ttlMs, key, events }) => {
      const signer = signers.get(key);
      if (signer === undefined) return 'invalid';
      const { runId, secret } = signer;
      const { keys, terms, read } = counters.charge(events);
      const spent = store.key(`s:${hash('sha256', challengeId, 'base64url').slice(0, 22)}`);
      const livesMs = Math.ceil(ttlMs + REMEMBERED_LONGER_MS);
      const session = store.session();
      const reply = await session.call(
        SPEND,
        [keyName(runId), spent, ...keys],
        [runId, secret, livesMs, clock.wallMs(), ...terms],
      );
      if (reply === 'lost') await adopt(session, 'keep');
      if (typeof reply === 'string') return OUTCOMES[reply] ?? 'unavailable';
      const decision = read(reply);
      return decision.allowed ? 'accepted' : decision;
    },
  };
};
