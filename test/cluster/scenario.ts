import type { ClusterOptions } from './cluster.ts';

/** Each token may send one a second, so that it is the cap that binds; the period, and with it the rest, is short. */
export const RUN: ClusterOptions = {
  nodes: 4,
  tokens: 100,
  limit: 5,
  periodMs: 5_000,
  egressPerSecond: 50,
};
