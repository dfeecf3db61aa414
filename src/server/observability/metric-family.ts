import type { Metric, Registry } from 'prom-client';
import type { DurationHistogram } from './duration-histogram.ts';

/** One named metric with everything that is known of it at the moment. */
export type MetricFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly read: () => readonly Sample[];
};

type Labels = Readonly<Record<string, string | number>>;

export type Sample = {
  readonly labels: Labels;
  readonly value: number;
  /** A histogram's samples have names of their own. */
  readonly metricName?: string;
};

/** The library's own counters cost ten times as much for each event as ours, which are read only when somebody asks. */
export const registerFamily = (registry: Registry, { name, help, type, read }: MetricFamily): void => {
  const metric = { name, get: async () => ({ name, help, type, values: read() }) };
  registry.registerMetric(metric as unknown as Metric);
};

export const samplesBy = (label: string, values: Iterable<readonly [string, number]>): Sample[] =>
  Array.from(values, ([key, value]) => ({ labels: { [label]: key }, value }));

export const durationSamples = (
  name: string,
  durations: DurationHistogram,
  labels: Labels = {},
): Sample[] => {
  const { buckets, count, sumSeconds } = durations.read();
  const metricName = `${name}_bucket`;
  return [
    ...buckets.map(([le, value]) => ({ metricName, labels: { ...labels, le }, value })),
    { metricName, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
};
