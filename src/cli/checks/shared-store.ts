import type { Config } from '#server/config.ts';
import { inspectEngine } from '#server/storage/shared-store/inspect-engine.ts';
import { parseStoreAddress } from '#server/storage/shared-store/store-address.ts';
import type { Clock } from '#server/system.ts';
import { check, type Check } from './check.ts';

const WHAT = 'shared store';

/** Null where the only node is this one. */
export const checkSharedStore = async (clock: Clock, config: Config): Promise<Check | null> => {
  const address = parseStoreAddress(config.sharedStateUrl?.reveal() ?? '');
  if (address === undefined) return null;
  let isPersistent = false;
  const looked = await check(WHAT, async () => {
    const engine = await inspectEngine(clock, address);
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
