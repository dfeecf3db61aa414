import type { RouteName } from './destination.ts';
import { createSlidingWindow } from './sliding-window.ts';

type Counts = Record<string, number>;

export type TrafficStats = ReturnType<Traffic['stats']>;
export type Traffic = ReturnType<typeof createTraffic>;

type Seen = {
  readonly status: number;
  readonly invalid: boolean;
  readonly route: RouteName;
  readonly scheme: string;
  readonly botId: string | undefined;
  readonly arrivedMs: number;
};

const add = (counts: Counts, key: string | number): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};
/** Without a prototype: a scheme is whatever a client sends. */
const noCounts = (): Counts => Object.create(null) as Counts;

export const createTraffic = () => {
  const stats = {
    requests: 0,
    invalid: 0,
    rateLimited: 0,
    byStatus: noCounts(),
    routes: noCounts(),
    /** `none` without a header, `bare` without a scheme. */
    schemes: noCounts(),
    byBot: noCounts(),
    lastMsByBot: noCounts(),
    busiestSecond: 0,
  };
  const lastSecond = createSlidingWindow(1_000);

  return {
    record: ({ status, invalid, route, scheme, botId, arrivedMs }: Seen): void => {
      stats.requests += 1;
      if (invalid) stats.invalid += 1;
      if (status === 429) stats.rateLimited += 1;
      add(stats.byStatus, status);
      add(stats.routes, route);
      add(stats.schemes, scheme);
      lastSecond.add(arrivedMs);
      stats.busiestSecond = Math.max(stats.busiestSecond, lastSecond.count(arrivedMs));
      if (botId === undefined) return;
      add(stats.byBot, botId);
      stats.lastMsByBot[botId] = arrivedMs;
    },
    stats: () => structuredClone(stats),
  };
};
