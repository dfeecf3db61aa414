import type { Clock } from '#server/system.ts';
import type { RedisClock } from './redis-clock.ts';
import { findRedisProblem, parseRedisInfo, type RedisInfo } from './redis-info.ts';
import type { OpenSession } from './session.ts';

export type Examined = { readonly info: RedisInfo; readonly clockLeapt: boolean };

export type ExaminationDeps = {
  readonly clock: Clock;
  readonly redisClock: RedisClock;
};

const WHO_AM_I = "return redis.call('INFO', 'server')";

/** Rejects with a `RedisProblem` if we cannot use this Redis. */
export const createExamination = ({ clock, redisClock }: ExaminationDeps) => {
  let info = parseRedisInfo('');

  /** Returns the `info` of the last examination. */
  const checkClock = async (session: OpenSession): Promise<Examined> => {
    const askedMs = clock.monotonicMs();
    const [seconds, microseconds] = (await session.send('TIME')) as [string, string];
    const redisMs = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    const problem = findRedisProblem(info, redisMs - clock.wallMs());
    // Before it is believed: a clock that is wrong for a moment, and then what we expect of it again, has not leapt.
    if (problem !== null) throw problem;
    const observed = redisClock.observe(redisMs, askedMs, clock.monotonicMs());
    return { info, clockLeapt: observed === 'leapt' };
  };

  return {
    checkClock,
    examine: async (session: OpenSession): Promise<Examined> => {
      const [text] = await Promise.all([session.send('INFO'), session.send('EVAL', WHO_AM_I, '0')]);
      const { runId } = info;
      info = parseRedisInfo(String(text));
      if (info.runId !== runId) redisClock.forget();
      return checkClock(session);
    },
  };
};
