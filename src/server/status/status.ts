import type { Retirements } from '#server/pool/retirements.ts';
import type { Status as PublicStatus } from '#shared/contract/status.ts';
import { createFigures, type FiguresDeps } from './figures.ts';
import { createLookupPause, type LookupPauseDeps } from './lookup-pause.ts';

export type StatusDeps = LookupPauseDeps &
  Omit<FiguresDeps, 'tokens'> & {
    readonly retirements: Pick<Retirements, 'count'>;
    readonly tokenDonations: boolean;
  };

/** What everybody may know of the pool. */
export type Status = ReturnType<typeof createStatus>;

/** Below this many a single revocation is felt. */
const ENOUGH_TOKENS = 3;
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
  let cancelTimer = (): void => {};

  const look = (): void => {
    readPause();
    cancelTimer = clock.after(LOOK_EVERY_MS, look);
  };

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
    readPause,
    retired: () => retired.platform,
    /** Loads what the database says. */
    refresh: async (): Promise<void> => {
      retired = await retirements.count();
    },
    /** From now on a pause is noticed, and logged, whether or not anybody asks. */
    start: async (): Promise<void> => {
      await figures.start();
      look();
    },
    /** Resolves once what was counted is stored. */
    stop: async (): Promise<void> => {
      cancelTimer();
      await figures.stop();
    },
  };
};
