import { createRateLimits, type LimitSettings } from '#sandbox/api/rate-limits.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import { sleep } from '#server/system.ts';
import type { FakeSystem } from './fake-system.ts';

export type LimitedClientOptions = {
  readonly system: FakeSystem;
  readonly limits: LimitSettings;
  /** Milliseconds a request or an answer is on its way, given a draw from [0, 1). */
  readonly delayMs: (draw: number) => number;
};

/** The sandbox's own rate limits behind a network with a delay of its own for every request and every answer. */
export const createLimitedClient = ({ system, limits, delayMs }: LimitedClientOptions) => {
  const { clock, random } = system;
  const limiter = createRateLimits(limits);
  const tally = { answered: 0, rateLimited: 0 };
  const travel = (): Promise<void> => sleep(clock, delayMs(random.integer(1e6) / 1e6));

  const getUser: DiscordClient['getUser'] = async (_id, { secret }) => {
    await travel();
    const { allowed, remaining, resetAfterMs } = limiter.spendSlot(
      'users/{id}',
      secret.reveal(),
      clock.monotonicMs(),
    );
    const reading = { limit: limits.limit, remaining, resetAfterMs: Math.round(resetAfterMs), bucket: null };
    if (allowed) tally.answered += 1;
    else tally.rateLimited += 1;
    await travel();
    return allowed
      ? { kind: 'not-found', reading }
      : { kind: 'rate-limited', scope: 'user', retryAfterMs: resetAfterMs, reading };
  };
  return { getUser, tally };
};

/** The most answers that one token can get in this many seconds. */
export const capacityOf = (limits: LimitSettings, seconds: number): number =>
  limits.mode === 'sliding'
    ? limits.limit + Math.floor((seconds * 1_000 * limits.limit) / limits.periodMs)
    : limits.limit * Math.ceil((seconds * 1_000) / limits.periodMs);
