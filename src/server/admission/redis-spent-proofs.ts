import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { defineScript } from '#server/storage/redis/script.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { System } from '#server/system.ts';
import {
  COUNT_FUNCTION,
  readCount,
  type RedisVisitorCounters,
} from '#server/visitors/redis-visitor-counters.ts';
import type { SpentProofs } from './spent-proofs.ts';

export type RedisSpentProofsDeps = {
  readonly system: System;
  readonly store: Pick<SharedStore, 'key' | 'onSession' | 'everySecond' | 'session'>;
  readonly counters: Pick<RedisVisitorCounters, 'charge'>;
  /** How long a challenge is good. */
  readonly ttlMs: number;
};

/** `size`: how many of its fields we know of; it never has fewer. */
type Page = { readonly name: string; readonly secret: string; readonly key: KeyObject; size: number };

/** A page is about the challenges that expire within one such period. */
const PAGE_MS = 60_000;
/** Clocks of nodes and Redis may differ by less; after that a proof is invalid where it was expired. */
const KEPT_LONGER_MS = 60_000;

/** After a failover another process may have the page, but perhaps not all of it; so may the same process. */
const PROCESS_FUNCTION = `
local function process()
  local info = redis.call('INFO', 'server', 'replication')
  return string.match(info, 'run_id:(%x+)') .. ':' .. (string.match(info, 'master_replid:(%x+)') or '')
end`;

/** `moreKeys`: pages. `moreArgs`: of each what we know, secret and size, and when it may go. Replies with both of each. */
const OPEN_PAGES = defineScript({
  keys: [],
  args: ['offered'],
  functions: PROCESS_FUNCTION,
  lua: `
local reply, here = {}, process()
for n, page in ipairs(moreKeys) do
  local known, size, forgetAt = moreArgs[3 * n - 2], tonumber(moreArgs[3 * n - 1]), moreArgs[3 * n]
  if redis.call('TYPE', page).ok ~= 'hash' then redis.call('DEL', page) end
  local state = redis.call('HMGET', page, 'process', 'secret')
  local hasShrunk = state[2] == known and redis.call('HLEN', page) < size
  if state[1] ~= here or hasShrunk then
    redis.call('UNLINK', page)
    redis.call('HSET', page, 'process', here, 'secret', offered)
  end
  redis.call('PEXPIREAT', page, forgetAt)
  table.insert(reply, redis.call('HGET', page, 'secret'))
  table.insert(reply, redis.call('HLEN', page))
end
return reply`,
  reply: (reply) => reply as readonly (string | number | null)[],
});

/** Answers as `count` does, with how large the page is now, or with why nothing was counted. */
const SPEND = defineScript({
  keys: ['page'],
  args: ['secret', 'size', 'id'],
  timed: true,
  functions: PROCESS_FUNCTION + COUNT_FUNCTION,
  lua: `
local state = redis.call('HMGET', page, 'process', 'secret', id)
if state[2] ~= secret or state[1] ~= process() then return {'lost'} end
if redis.call('HLEN', page) < tonumber(size) then return {'lost'} end
if state[3] then return {'used'} end
local counted = count(moreKeys, moreArgs, now)
if counted[1] == 'pressure' then
  redis.call('HSET', page, id, '')
  table.insert(counted, redis.call('HLEN', page))
end
return counted`,
  reply: (reply) => {
    const [word, , size] = reply as ['lost' | 'used' | 'pressure' | 'wait', string?, number?];
    if (word !== 'pressure' && word !== 'wait') return word;
    return { counted: readCount(reply), size: word === 'pressure' ? Number(size) : 0 };
  },
});

/**
 * For all nodes. What was spent is kept in the same key of Redis as the secret that signed it, a page for each minute
 * in which challenges expire. So nothing can forget the one without the other, whatever clocks do, and a page that was
 * replaced by an older copy is noticed because it is smaller.
 */
export const createRedisSpentProofs = (deps: RedisSpentProofsDeps): SpentProofs => {
  const { system, store, counters, ttlMs } = deps;
  const { clock, random } = system;
  const pages = new Map<number, Page>();
  const pageOf = new WeakMap<KeyObject, Page>();

  const periodOf = (expiresAtMs: number): number => Math.floor(expiresAtMs / PAGE_MS);

  /** From what has just expired to what will be signed next. */
  const periodsNow = (): number[] => {
    const first = periodOf(clock.wallMs() - KEPT_LONGER_MS);
    const last = periodOf(clock.wallMs() + ttlMs) + 1;
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  };

  const openPages = async ({ run }: Session): Promise<void> => {
    const periods = periodsNow();
    const names = periods.map((period) => store.key(`spent:${period}`));
    const reply = await run(OPEN_PAGES, {
      keys: {},
      args: { offered: random.bytes(32).toString('hex') },
      moreKeys: names,
      moreArgs: periods.flatMap((period) => {
        const { secret = '', size = 0 } = pages.get(period) ?? {};
        return [secret, size, (period + 1) * PAGE_MS + KEPT_LONGER_MS];
      }),
    });
    for (const [n, period] of periods.entries()) {
      const [secret, size] = [reply[2 * n], Number(reply[2 * n + 1])];
      // Its time is over by Redis's clock.
      if (typeof secret !== 'string') pages.delete(period);
      else keep(period, { name: names[n] ?? '', secret, size });
    }
    for (const period of pages.keys()) if (!periods.includes(period)) pages.delete(period);
  };

  const keep = (period: number, { name, secret, size }: Omit<Page, 'key'>): void => {
    const known = pages.get(period);
    if (known?.secret === secret) {
      known.size = Math.max(known.size, size);
      return;
    }
    const page: Page = { name, secret, key: createSecretKey(secret, 'hex'), size };
    pages.set(period, page);
    pageOf.set(page.key, page);
  };

  store.onSession(openPages);
  store.everySecond(openPages);

  return {
    signingKey: (expiresAtMs) => {
      store.session();
      return pages.get(periodOf(expiresAtMs))?.key;
    },
    spend: async ({ challengeId, key }, events) => {
      const page = pageOf.get(key);
      if (page === undefined) return 'invalid';
      const session = store.session();
      const { decide, ...charge } = counters.charge(events);
      const reply = await session.run(SPEND, {
        keys: { page: page.name },
        args: {
          secret: page.secret,
          size: page.size,
          id: hash('sha256', challengeId, 'base64url').slice(0, 22),
        },
        ...charge,
      });
      if (reply === 'used') return 'used';
      if (reply === 'lost') {
        await openPages(session);
        return 'invalid';
      }
      page.size = Math.max(page.size, reply.size);
      const decision = decide(reply.counted);
      return decision.allowed ? 'accepted' : decision;
    },
  };
};
