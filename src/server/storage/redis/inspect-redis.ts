import type { Clock } from '#server/system.ts';
import type { Reply } from './redis-connection.ts';
import { createRedisClock } from './redis-clock.ts';
import { RedisProblem, toRedisProblem } from './redis-problem.ts';
import { createExamination } from './examine-redis.ts';
import { readHolder, readLayout } from './site-claim.ts';
import { connectSession, type OpenSession } from './session.ts';
import type { StoreAddress } from './store-address.ts';

export type RedisInspection = {
  readonly version: string;
  /** The fastest of several round trips. */
  readonly tripMs: number;
  /** It writes to disk, profiles included. */
  readonly isPersistent: boolean;
  /** Whose it is, as in `site-claim.ts`. */
  readonly holder: Reply;
  readonly layout: Reply;
};

const TRIPS = 5;

/** Examines it once, as a starting server does. Rejects with the `RedisProblem` that would stop that server. */
export const inspectRedis = async (clock: Clock, address: StoreAddress): Promise<RedisInspection> => {
  let session: OpenSession | undefined;
  try {
    const redisClock = createRedisClock(clock);
    session = await connectSession({ clock, redisClock, address, onCall: () => {} });
    const { info } = await createExamination({ clock, redisClock }).examine(session);
    return {
      version: info.version,
      tripMs: await quickestTripMs(clock, session),
      isPersistent: info.isPersistent || (await savesNowAndThen(session)),
      holder: await readHolder(session, address),
      layout: await readLayout(session, address),
    };
  } catch (error) {
    throw session?.ended.aborted
      ? new RedisProblem('The shared store does not answer', 'see how Redis or Valkey is doing.')
      : toRedisProblem(error);
  } finally {
    session?.end('closed');
  }
};

const quickestTripMs = async (clock: Clock, session: OpenSession): Promise<number> => {
  let quickestMs = Infinity;
  for (let trip = 0; trip < TRIPS; trip += 1) {
    const askedMs = clock.monotonicMs();
    await session.send('TIME');
    quickestMs = Math.min(quickestMs, clock.monotonicMs() - askedMs);
  }
  return quickestMs;
};

/** False if we may not ask: managed services often forbid CONFIG. */
const savesNowAndThen = async (session: OpenSession): Promise<boolean> => {
  const [, save = ''] = (await session.send('CONFIG', 'GET', 'save').catch(() => [])) as string[];
  return save !== '';
};
