import type { Config } from '#server/config.ts';
import { inspectRedis } from '#server/storage/redis/inspect-redis.ts';
import { parseStoreAddress } from '#server/storage/redis/store-address.ts';
import type { Clock } from '#server/system.ts';
import { check, type Check } from './check.ts';

const WHAT = 'shared store';

/** Null where the only node is this one. */
export const checkSharedStore = async (clock: Clock, config: Config): Promise<Check | null> => {
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  if (address === undefined) return null;
  let isPersistent = false;
  const looked = await check(WHAT, async () => {
    const engine = await inspectRedis(clock, address);
    ({ isPersistent } = engine);
    return `${address.host}:${address.port}, version ${engine.version}, answers in ${engine.tripMs.toFixed(1)} ms`;
  });
  if (!isPersistent) return looked;
  return {
    what: WHAT,
    state: 'warning',
    finding: `${looked.finding}, and writes to disk what is not meant to be kept`,
    remedy: 'turn persistence off in Redis or Valkey: save "" and appendonly no.',
  };
};
