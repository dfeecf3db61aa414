import { QUEUE_MS } from '#server/deadlines.ts';
import type { Logger } from '#server/observability/logger.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { createRepetition } from '#server/system.ts';
import { ENOUGH_TOKENS, type LookupPause, type Status as PublicStatus } from '#shared/contract/status.ts';
import { createFigures, type FiguresDeps } from './figures.ts';

type StatusDeps = Omit<FiguresDeps, 'healthyTokens'> & {
  readonly platform: Pick<Platform, 'pause'>;
  readonly pool: Pick<TokenPool, 'counts' | 'nextChance'>;
  readonly problem: () => string | null;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly retirements: Pick<Retirements, 'count'>;
  readonly tokenDonations: boolean;
};

const LOOK_EVERY_MS = 1_000;

export const createStatus = (deps: StatusDeps) => {
  const { clock, pool, retirements, tokenDonations } = deps;
  const figures = createFigures({ ...deps, healthyTokens: () => pool.counts().healthy });
  const readPause = createLookupPause(deps);
  let retired: Awaited<ReturnType<Retirements['count']>> = { platform: 0, operator: 0, last: null };
  const look = (): Promise<void> => {
    readPause();
    return figures.look();
  };
  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    read: (): PublicStatus => {
      const { healthy, cooling, suspect } = pool.counts();
      return {
        ...figures.read(),
        // A suspect may be dead: it counts as not usable now, like one that cools.
        tokens: { healthy, cooling: cooling + suspect, retired: retired.platform },
        last_retirement: retired.last,
        donations_needed: tokenDonations && healthy < ENOUGH_TOKENS,
        paused: readPause(),
      };
    },
    refresh: async (): Promise<void> => {
      retired = await retirements.count();
    },
    /** From now on a pause is noticed, and logged, whether or not anybody asks. */
    start: async (): Promise<void> => {
      await figures.load();
      looks.start(0);
    },
    stop: async (): Promise<void> => {
      await looks.stop();
      await figures.flush();
    },
  };
};

const createLookupPause = ({ clock, platform, pool, problem, logger }: StatusDeps) => {
  let seen: { readonly cause: LookupPause['cause']; readonly sinceMs: number } | null = null;
  const iso = (atMs: number): string => new Date(clock.wallMs() + atMs - clock.monotonicMs()).toISOString();

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
    const { cause, waitMs } = found;
    const until = waitMs === Infinity ? null : iso(nowMs + waitMs);
    if (seen === null)
      logger.warn({ event: 'lookups-paused', cause, until }, 'lookups that are not cached are refused');
    seen ??= { cause, sinceMs: nowMs };
    return { cause, since: iso(seen.sinceMs), until };
  };
};
