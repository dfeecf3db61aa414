import type { Clock } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';
import type { RecentCount } from './recent-count.ts';

/** The part of the status that is the same on all nodes. */
export type Figures = Pick<Status, 'lookups_last_hour' | 'last_24_hours' | 'updated_at'> & {
  readonly tokens: Omit<Status['tokens'], 'retired'>;
};

/** What this process has counted itself. */
export type OwnCounts = {
  readonly recent: Readonly<Record<'served' | 'refused', RecentCount>>;
  readonly tokens: () => Figures['tokens'];
};

export type FiguresOf = (tokens: OwnCounts['tokens']) => () => Figures;

export const HOUR_MS = 3_600_000;
/** The one that is not over yet is the last of them. */
export const HOURS = 24;
const MINUTE_MS = 60_000;

/** The figures of a single server. To be read at least once a minute, so that each lookup counts in its own hour. */
export const createOwnFigures = (clock: Clock, { recent, tokens }: OwnCounts): (() => Figures) => {
  const { served, refused } = recent;
  // Hours begin where those of the wall clock did at the start, whatever that clock does later.
  const startMs = clock.wallMs() - clock.monotonicMs();
  const hours = new Map<number, Omit<Status['last_24_hours'][number], 'from'>>();
  let told = { served: 0, refused: 0 };

  const countHour = (hour: number, healthy: number): void => {
    const known = hours.get(hour) ?? { served: 0, refused: 0, tokens_healthy: 0 };
    hours.set(hour, {
      served: known.served + served.added() - told.served,
      refused: known.refused + refused.added() - told.refused,
      tokens_healthy: Math.max(known.tokens_healthy, healthy),
    });
    told = { served: served.added(), refused: refused.added() };
    for (const old of hours.keys()) if (old <= hour - HOURS) hours.delete(old);
  };

  return () => {
    const steadyMs = clock.monotonicMs() + startMs;
    const wallMs = clock.wallMs();
    const counted = tokens();
    countHour(Math.floor(steadyMs / HOUR_MS), counted.healthy);
    const from = (hour: number): string => {
      const atMs = hour * HOUR_MS + wallMs - steadyMs;
      return new Date(Math.round(atMs / MINUTE_MS) * MINUTE_MS).toISOString();
    };
    return {
      tokens: counted,
      lookups_last_hour: { served: served.total(), refused: refused.total() },
      last_24_hours: [...hours].map(([hour, figures]) => Object.assign({ from: from(hour) }, figures)),
      updated_at: new Date(wallMs).toISOString(),
    };
  };
};
