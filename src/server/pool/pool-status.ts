import type { FiguresOf } from '#server/observability/own-figures.ts';
import type { Status } from '#shared/contract/status.ts';
import { createLookupPause, type LookupPauseDeps } from './lookup-pause.ts';
import type { Retirements } from './retirements.ts';

export type PoolStatusDeps = LookupPauseDeps & {
  readonly figuresOf: FiguresOf;
  readonly retirements: Pick<Retirements, 'count'>;
  readonly tokenDonations: boolean;
};

/** What everybody may know of the pool. */
export type PoolStatus = ReturnType<typeof createPoolStatus>;

/** Below this many a single revocation is felt. */
const ENOUGH_TOKENS = 3;
const LOOK_EVERY_MS = 1_000;

export const createPoolStatus = (deps: PoolStatusDeps) => {
  const { clock, pool, retirements, tokenDonations } = deps;
  const figures = deps.figuresOf(() => {
    const { healthy, cooling, suspect } = pool.counts();
    // A suspect may be dead: it counts as not usable now, like one that cools.
    return { healthy, cooling: cooling + suspect };
  });
  const readPause = createLookupPause(deps);
  let retired: Awaited<ReturnType<Retirements['count']>> = { platform: 0, operator: 0, last: null };
  let cancelTimer = (): void => {};

  const read = (): Status => {
    const { tokens, ...lookups } = figures();
    return {
      ...lookups,
      tokens: { ...tokens, retired: retired.platform },
      last_retirement: retired.last,
      donations_needed: tokenDonations && tokens.healthy < ENOUGH_TOKENS,
      paused: readPause(),
    };
  };
  const look = (): void => {
    read();
    cancelTimer = clock.after(LOOK_EVERY_MS, look);
  };

  return {
    read,
    readPause,
    retired: () => retired.platform,
    /** Loads what the database says. */
    refresh: async (): Promise<void> => {
      retired = await retirements.count();
    },
    /** From now on it is looked at once a second, and what changes is counted and told, whether or not anybody asks. */
    start: look,
    stop: (): void => cancelTimer(),
  };
};
