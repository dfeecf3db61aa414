import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Events, TallyName } from './events.ts';

export type Metrics = { readonly contentType: string; readonly render: () => Promise<string> };

export type MetricsDeps = {
  readonly events: Events;
  readonly poolCounts: () => Readonly<Record<string, number>>;
  readonly invalidRequests: () => number;
  readonly cachedProfiles: () => number;
};

const COUNTERS: Readonly<Record<TallyName, { name: string; help: string; label: string }>> = {
  challenges: { name: 'whoflake_challenges_total', help: 'Captcha challenges', label: 'outcome' },
  proofs: { name: 'whoflake_proofs_total', help: 'Captcha proofs by outcome', label: 'outcome' },
  lookups: { name: 'whoflake_lookups_total', help: 'Answered lookups', label: 'outcome' },
  lookupSources: { name: 'whoflake_lookup_sources_total', help: 'Lookups by source', label: 'source' },
  refusals: { name: 'whoflake_refusals_total', help: 'Error answers by code', label: 'code' },
  upstream: { name: 'whoflake_upstream_answers_total', help: 'Answers of the platform', label: 'kind' },
  retired: { name: 'whoflake_tokens_retired_total', help: 'Retired tokens', label: 'reason' },
};

export const createMetrics = (deps: MetricsDeps): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  for (const [tally, { name, help, label }] of Object.entries(COUNTERS)) {
    const counts = deps.events.tallies[tally as TallyName];
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect: () => {
        counter.reset();
        for (const [value, count] of counts) counter.inc({ [label]: value }, count);
      },
    });
  }

  const pool = new Gauge({
    name: 'whoflake_pool',
    help: 'Tokens by state, and requests that wait for one or use one',
    labelNames: ['state'],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(deps.poolCounts())) pool.set({ state }, count);
    },
  });
  const gauge = (name: string, help: string, read: () => number): void => {
    const single: Gauge = new Gauge({ name, help, registers, collect: () => single.set(read()) });
  };
  gauge(
    'whoflake_invalid_requests',
    'Answers that count towards a ban, last ten minutes',
    deps.invalidRequests,
  );
  gauge('whoflake_cached_profiles', 'Profiles in the cache', deps.cachedProfiles);

  return { contentType: registry.contentType, render: () => registry.metrics() };
};
