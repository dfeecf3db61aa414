import { RedisProblem } from './redis-problem.ts';

/** What Redis says of itself. */
export type RedisInfo = {
  readonly runId: string;
  readonly version: string;
  readonly isPrimary: boolean;
  /** May drop what we told it to keep. */
  readonly evicts: boolean;
  readonly policy: string;
  /** What is in it reaches the disk. */
  readonly isPersistent: boolean;
};

const OLDEST_VERSION = 7;
/** Spent proofs are remembered for three times as long after they expire. */
export const CLOCK_TOLERANCE_MS = 20_000;

/** `text` is the answer to `INFO`. */
export const parseRedisInfo = (text: string): RedisInfo => {
  const facts = new Map(
    text.split('\r\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(':');
      return [name, value.join(':')];
    }),
  );
  const policy = facts.get('maxmemory_policy') ?? 'unknown';
  return {
    runId: facts.get('run_id') ?? '',
    version: facts.get('valkey_version') ?? facts.get('redis_version') ?? '0',
    isPrimary: facts.get('role') === 'master',
    evicts: policy !== 'noeviction' && facts.get('maxmemory') !== '0',
    policy,
    isPersistent: facts.get('aof_enabled') === '1',
  };
};

/** Why it cannot be ours, or null. `aheadMs` is how far its clock is ahead of ours. */
export const findRedisProblem = (info: RedisInfo, aheadMs: number): RedisProblem | null => {
  if (info.runId === '' || Number.parseInt(info.version, 10) < OLDEST_VERSION)
    return new RedisProblem(
      `The shared store is too old (${info.version})`,
      `use Valkey, or Redis ${OLDEST_VERSION} or newer.`,
    );
  if (!info.isPrimary)
    return new RedisProblem(
      'The shared store is a replica, which takes no writes',
      'set SHARED_STATE_URL to the address of the primary.',
      { isLasting: false },
    );
  if (info.evicts)
    return new RedisProblem(
      `The shared store may forget what it must keep (maxmemory-policy ${info.policy})`,
      'set its maxmemory-policy to noeviction.',
    );
  if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS)
    return new RedisProblem(
      `The clock of the shared store is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`,
      'set both clocks, for example with NTP.',
      { isLasting: false },
    );
  return null;
};
