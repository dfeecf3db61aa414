import type { Config } from '#server/config.ts';
import { inspectRedis } from '#server/storage/redis/inspect-redis.ts';
import { parseStoreAddress } from '#server/storage/redis/store-address.ts';
import type { Clock } from '#server/system.ts';
import { check, type Check } from './check.ts';

/** Null if none is set: this is the only node. */
export const checkSharedStore = async (clock: Clock, config: Config): Promise<Check | null> => {
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  if (address === undefined) return null;
  return check('shared store', async () => {
    const { isPersistent, version, tripMs } = await inspectRedis(clock, address);
    const finding = `${address.host}:${address.port}, version ${version}, answers in ${tripMs.toFixed(1)} ms`;
    if (!isPersistent) return finding;
    return {
      state: 'warning',
      finding: `${finding}, and writes to disk what is not meant to be kept`,
      remedy: 'turn persistence off in Redis or Valkey: save "" and appendonly no.',
    };
  });
};
