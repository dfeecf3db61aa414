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
  /** When a request of each bot arrived last, in milliseconds since the Unix epoch. */
  readonly lastMsByBot: Readonly<Record<string, number>>;
  /** The most requests that arrived within any one second, wherever it begins. */
  readonly busiestSecond: number;
};

export type Traffic = {
  readonly record: (seen: {
    readonly status: number;
    readonly invalid: boolean;
    readonly route: RouteName;
    readonly scheme: string;
    readonly botId: string | undefined;
    readonly arrivedMs: number;
  }) => void;
  readonly stats: () => TrafficStats;
};

const add = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const SECOND_MS = 1_000;

/** Counts what arrives within a second that ends now. */
const createSecond = (): ((nowMs: number) => number) => {
  let times: number[] = [];
  let first = 0;
  return (nowMs) => {
    times.push(nowMs);
    while ((times[first] ?? nowMs) <= nowMs - SECOND_MS) first += 1;
    if (first > 10_000) {
      times = times.slice(first);
      first = 0;
    }
    return times.length - first;
  };
};

export const createTraffic = (): Traffic => {
  let requests = 0;
  let invalid = 0;
  const byStatus = new Map<number, number>();
  const routes = new Map<string, number>();
  const schemes = new Map<string, number>();
  const byBot = new Map<string, number>();
  const lastMsByBot = new Map<string, number>();
  const withinSecond = createSecond();
  let busiestSecond = 0;

  return {
    record: (seen) => {
      requests += 1;
      if (seen.invalid) invalid += 1;
      add(byStatus, seen.status);
      add(routes, seen.route);
      add(schemes, seen.scheme);
      busiestSecond = Math.max(busiestSecond, withinSecond(seen.arrivedMs));
      if (seen.botId === undefined) return;
      add(byBot, seen.botId);
      lastMsByBot.set(seen.botId, seen.arrivedMs);
    },
    stats: () => ({
      requests,
      invalid,
      rateLimited: byStatus.get(429) ?? 0,
      byStatus: Object.fromEntries(byStatus),
      routes: Object.fromEntries(routes),
      schemes: Object.fromEntries(schemes),
      byBot: Object.fromEntries(byBot),
      lastMsByBot: Object.fromEntries(lastMsByBot),
      busiestSecond,
    }),
  };
};
