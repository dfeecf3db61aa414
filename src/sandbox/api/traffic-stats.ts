import type { RouteName } from './destination.ts';

export type TrafficStats = {
  readonly requests: number;
  /** 401, 403 and 429 other than of shared scope: what the platform holds against an address. */
  readonly invalid: number;
  readonly rateLimited: number;
  readonly byStatus: Readonly<Record<number, number>>;
  readonly routes: Readonly<Record<string, number>>;
  /** How often each Authorization scheme was seen; `none` without a header, `bare` without a scheme. */
  readonly schemes: Readonly<Record<string, number>>;
  /** Requests per bot id, of those with a valid token. */
  readonly byBot: Readonly<Record<string, number>>;
};

export type Traffic = {
  readonly record: (seen: {
    readonly status: number;
    readonly invalid: boolean;
    readonly route: RouteName;
    readonly scheme: string;
    readonly botId: string | undefined;
  }) => void;
  readonly stats: () => TrafficStats;
};

const add = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

export const createTraffic = (): Traffic => {
  let requests = 0;
  let invalid = 0;
  const byStatus = new Map<number, number>();
  const routes = new Map<string, number>();
  const schemes = new Map<string, number>();
  const byBot = new Map<string, number>();

  return {
    record: (seen) => {
      requests += 1;
      if (seen.invalid) invalid += 1;
      add(byStatus, seen.status);
      add(routes, seen.route);
      add(schemes, seen.scheme);
      if (seen.botId !== undefined) add(byBot, seen.botId);
    },
    stats: () => ({
      requests,
      invalid,
      rateLimited: byStatus.get(429) ?? 0,
      byStatus: Object.fromEntries(byStatus),
      routes: Object.fromEntries(routes),
      schemes: Object.fromEntries(schemes),
      byBot: Object.fromEntries(byBot),
    }),
  };
};
