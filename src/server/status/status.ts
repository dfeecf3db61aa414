import { QUEUE_MS } from '#server/deadlines.ts';
import type { Logger } from '#server/observability/logger.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { createRepetition, type Clock } from '#server/system.ts';
import { ENOUGH_TOKENS, type LookupPause, type Status as PublicStatus } from '#shared/contract/status.ts';
import { createFigures, type FiguresDeps } from './figures.ts';

type LookupPauseDeps = {
  readonly clock: Clock;
  readonly platform: Pick<Platform, 'pause'>;
  readonly pool: Pick<TokenPool, 'counts' | 'nextChance'>;
  readonly problem: () => string | null;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

type StatusDeps = LookupPauseDeps &
  Omit<FiguresDeps, 'tokens'> & {
    readonly retirements: Pick<Retirements, 'count'>;
    readonly tokenDonations: boolean;
  };

const LOOK_EVERY_MS = 1_000;

export const createStatus = (deps: StatusDeps) => {
  const { clock, pool, retirements, tokenDonations } = deps;
  const figures = createFigures({
    ...deps,
    tokens: () => {
      const { healthy, cooling, suspect } = pool.counts();
      // A suspect may be dead: it counts as not usable now, like one that cools.
      return { healthy, cooling: cooling + suspect };
    },
  });
  const readPause = createLookupPause(deps);
  let retired: Awaited<ReturnType<Retirements['count']>> = { platform: 0, operator: 0, last: null };
  const looks = createRepetition({ clock, work: () => void readPause(), restMs: () => LOOK_EVERY_MS });

  return {
    read: (): PublicStatus => {
      const { tokens, ...lookups } = figures.read();
      return {
        ...lookups,
        tokens: { ...tokens, retired: retired.platform },
        last_retirement: retired.last,
        donations_needed: tokenDonations && tokens.healthy < ENOUGH_TOKENS,
        paused: readPause(),
      };
    },
    refresh: async (): Promise<void> => {
      retired = await retirements.count();
    },
    /** From now on a pause is noticed, and logged, whether or not anybody asks. */
    start: async (): Promise<void> => {
      await figures.start();
      readPause();
      looks.start();
    },
    stop: async (): Promise<void> => {
      await looks.stop();
      await figures.stop();
    },
  };
};

const createLookupPause = ({ clock, platform, pool, problem, logger }: LookupPauseDeps) => {
  let seen: { readonly cause: LookupPause['cause']; readonly sinceMs: number } | null = null;

  const find = (): { readonly cause: LookupPause['cause']; readonly waitMs: number } | null => {
    if (problem() !== null) return { cause: 'store-unavailable', waitMs: Infinity };
    const pause = platform.pause();
    if (pause !== null) return pause;
    const { healthy, cooling } = pool.counts();
    if (healthy + cooling === 0) return { cause: 'no-tokens', waitMs: Infinity };
    const { waitMs, mayBeSooner } = pool.nextChance();
    return waitMs > QUEUE_MS && !mayBeSooner ? { cause: 'tokens-cooling', waitMs } : null;
  };

  return (): LookupPause | null => {
    const nowMs = clock.monotonicMs();
    const found = find();
    if (seen !== null && seen.cause !== found?.cause) {
      const seconds = Math.round((nowMs - seen.sinceMs) / 1_000);
      logger.info({ event: 'lookups-resumed', cause: seen.cause, seconds }, 'this cause of a pause is over');
      seen = null;
    }
    if (found === null) return null;
    const isNew = seen === null;
    seen ??= { cause: found.cause, sinceMs: nowMs };
    const iso = (inMs: number): string => new Date(clock.wallMs() + inMs).toISOString();
    const until = found.waitMs === Infinity ? null : iso(found.waitMs);
    const { cause } = found;
    if (isNew)
      logger.warn({ event: 'lookups-paused', cause, until }, 'lookups that are not cached are refused');
    return { cause, since: iso(seen.sinceMs - nowMs), until };
  };
};
