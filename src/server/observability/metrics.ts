import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Events, Figures, TallyName } from './events.ts';
import { durationSamples, registerFamily, samplesBy, type MetricFamily } from './metric-family.ts';

export type Metrics = { readonly contentType: string; readonly render: () => Promise<string> };

export type MetricsDeps = {
  readonly events: Events;
  readonly version: string;
  readonly poolCounts: () => Readonly<
    Record<'healthy' | 'cooling' | 'suspect' | 'retired' | 'waiting' | 'inFlight', number>
  >;
  readonly invalidRequests: () => number;
  /** How many invalid requests stop what. */
  readonly invalidRequestLimits: Readonly<Record<string, number>>;
  readonly isEgressPaused: () => boolean;
  readonly cachedProfiles: () => number;
  readonly vanityLinks: () => Readonly<Record<string, number>>;
};

export const createMetrics = (deps: MetricsDeps): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const families = [
    ...requestFamilies(deps.events.figures),
    ...tallyFamilies(deps.events.figures),
    ...gauges(deps),
  ];
  for (const family of families) registerFamily(registry, family);
  return { contentType: registry.contentType, render: () => registry.metrics() };
};

const TALLIES: Readonly<Record<TallyName, readonly [name: string, label: string, help: string]>> = {
  errors: ['whoflake_http_errors_total', 'code', 'Error answers by code'],
  proofs: ['whoflake_proofs_total', 'outcome', 'Captcha proofs by outcome'],
  cache: ['whoflake_profile_cache_requests_total', 'result', 'Lookups by whether the cache had the answer'],
  lookups: ['whoflake_lookups_total', 'outcome', 'Lookups with a good proof by outcome'],
  leases: ['whoflake_leases_total', 'outcome', 'Requests for a token by outcome'],
  upstream: ['whoflake_upstream_requests_total', 'outcome', 'Requests to the platform by outcome'],
  retired: ['whoflake_tokens_retired_total', 'reason', 'Tokens that the platform took from us, by reason'],
  donations: ['whoflake_donations_total', 'outcome', 'Token donations with a good proof by outcome'],
  withdrawals: ['whoflake_withdrawals_total', 'outcome', 'Token withdrawals with a good proof by outcome'],
};

const tallyFamilies = ({ tallies }: Figures): MetricFamily[] =>
  Object.entries(TALLIES).map(([tally, [name, label, help]]) => ({
    name,
    help,
    type: 'counter',
    read: () => samplesBy(label, tallies[tally as TallyName]),
  }));

const requestFamilies = ({
  requests,
  challengesIssued,
  leaseWaits,
  upstreamDurations,
}: Figures): MetricFamily[] => {
  const durations = 'whoflake_http_request_duration_seconds';
  const waits = 'whoflake_lease_wait_seconds';
  const upstream = 'whoflake_upstream_request_duration_seconds';
  return [
    {
      name: 'whoflake_http_requests_total',
      help: 'Requests by route and status',
      type: 'counter',
      read: () =>
        [...requests].flatMap(([route, { statuses }]) =>
          Array.from(statuses, ([status, value]) => ({ labels: { route, status }, value })),
        ),
    },
    {
      name: durations,
      help: 'Time from the head of a request to its answer, by route',
      type: 'histogram',
      read: () =>
        [...requests].flatMap(([route, figures]) => durationSamples(durations, figures.durations, { route })),
    },
    {
      name: 'whoflake_challenges_issued_total',
      help: 'Captcha challenges handed out',
      type: 'counter',
      read: () => [{ labels: {}, value: challengesIssued() }],
    },
    {
      name: waits,
      help: 'Time that lookups waited for a token until they got it',
      type: 'histogram',
      read: () => durationSamples(waits, leaseWaits),
    },
    {
      name: upstream,
      help: 'Time that the platform took to answer',
      type: 'histogram',
      read: () => durationSamples(upstream, upstreamDurations),
    },
  ];
};

const gauges = (deps: MetricsDeps): MetricFamily[] => {
  const gauge = (name: string, help: string, read: () => number): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    read: () => [{ labels: {}, value: read() }],
  });
  const by = (label: string, values: () => Readonly<Record<string, number>>) => ({
    type: 'gauge' as const,
    read: () => samplesBy(label, Object.entries(values())),
  });
  const poolTokens = () => {
    const { waiting: _, inFlight: __, ...tokens } = deps.poolCounts();
    return tokens;
  };
  return [
    { name: 'whoflake_pool_tokens', help: 'Tokens by state', ...by('state', poolTokens) },
    {
      name: 'whoflake_invalid_requests_limit',
      help: 'Invalid requests in ten minutes that stop something, by what they stop',
      ...by('stops', () => deps.invalidRequestLimits),
    },
    {
      name: 'whoflake_vanity_links',
      help: 'Vanity links by state',
      ...by('state', deps.vanityLinks),
    },
    {
      name: 'whoflake_build_info',
      help: 'Always 1; the label tells the version',
      ...by('version', () => ({ [deps.version]: 1 })),
    },
    gauge('whoflake_pool_waiting', 'Lookups that wait for a token', () => deps.poolCounts().waiting),
    gauge('whoflake_pool_in_flight', 'Requests to the platform under way', () => deps.poolCounts().inFlight),
    gauge(
      'whoflake_invalid_requests',
      'Answers that count towards a ban, last ten minutes',
      deps.invalidRequests,
    ),
    gauge(
      'whoflake_egress_paused',
      '1 while nothing is sent because the platform fails, blocks us or might',
      () => Number(deps.isEgressPaused()),
    ),
    gauge('whoflake_profile_cache_entries', 'Profiles in the cache', deps.cachedProfiles),
  ];
};
