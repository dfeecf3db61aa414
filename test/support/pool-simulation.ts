import { createRateLimits, type LimitSettings } from '#sandbox/api/rate-limits.ts';
import { createSecret } from '#server/platform/bot-token.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import { createTokenPool } from '#server/pool/token-pool.ts';
import { sleep } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakePlatform } from './fake-platform.ts';
import { createFakeSystem } from './fake-system.ts';

export type PoolSimulationOptions = {
  readonly tokens: number;
  readonly seconds: number;
  readonly limits: LimitSettings;
  readonly seed: number;
  /** Milliseconds a request or an answer is on its way, given a draw from [0, 1). */
  readonly delayMs: (draw: number) => number;
};

export type PoolSimulation = {
  readonly answered: number;
  readonly rateLimited: number;
  readonly capacity: number;
};

/**
 * The pool under endless demand, against the sandbox's own rate limits, in simulated time: only the network between
 * them is made up, with a delay of its own for every request and every answer, so that they overtake each other.
 */
export const simulatePool = async (options: PoolSimulationOptions): Promise<PoolSimulation> => {
  const { tokens, seconds, limits, seed, delayMs } = options;
  const system = createFakeSystem({ seed });
  const { clock, random, advance } = system;
  const limiter = createRateLimits(limits);
  let answered = 0;
  let rateLimited = 0;
  const travel = (): Promise<void> => sleep(clock, delayMs(random.integer(1e6) / 1e6));

  const getUser: DiscordClient['getUser'] = async (_id, { secret }) => {
    await travel();
    const { allowed, remaining, resetAfterMs } = limiter.spendSlot(
      'users/{id}',
      secret.reveal(),
      clock.monotonicMs(),
    );
    const reading = { limit: limits.limit, remaining, resetAfterMs: Math.round(resetAfterMs), bucket: null };
    if (allowed) answered += 1;
    else rateLimited += 1;
    await travel();
    return allowed
      ? { kind: 'not-found', reading }
      : { kind: 'rate-limited', scope: 'user', retryAfterMs: resetAfterMs, reading };
  };
  const platform = createFakePlatform({ system, client: { getUser } });
  const pool = createTokenPool({ clock, platform, maxWaiting: Infinity, maxWaitMs: Infinity });
  for (let n = 0; n < tokens; n += 1) pool.add({ botId: `${n}`, secret: createSecret(`${n}`) });

  const demand = async (): Promise<void> => {
    const lease = await pool.lease();
    await lease.getUser('1' as Snowflake, Infinity);
    void demand();
  };
  for (let n = 0; n < tokens * 5; n += 1) void demand();
  await advance(seconds * 1_000);

  const perToken =
    limits.mode === 'sliding'
      ? limits.limit + Math.floor((seconds * 1_000 * limits.limit) / limits.periodMs)
      : limits.limit * Math.ceil((seconds * 1_000) / limits.periodMs);
  return { answered, rateLimited, capacity: perToken * tokens };
};
