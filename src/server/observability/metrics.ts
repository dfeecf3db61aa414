import type { Clock } from '#server/system.ts';
import { PAUSE_CAUSES, type LookupPause } from '#shared/contract/status.ts';
import type { Events } from './events.ts';
import { addProcessMetrics } from './process-metrics.ts';

export type MetricsDeps = {
  readonly clock: Clock;
  readonly events: Events;
  readonly version: string;
  readonly poolCounts: () => Readonly<
    Record<'healthy' | 'cooling' | 'suspect' | 'retired' | 'waiting' | 'inFlight', number>
  >;
  readonly difficultyFactor: () => number;
  readonly invalidRequests: () => number;
  /** By what they stop. */
  readonly invalidRequestLimits: Readonly<Record<string, number>>;
  readonly isEgressPaused: () => boolean;
  readonly readPause: () => LookupPause | null;
  readonly cachedProfiles: () => number;
  readonly vanityLinks: () => Readonly<Record<string, number>>;
  /** When the last good backup was made, in seconds since 1970; null if none is made by itself. */
  readonly backedUpAt: () => number | null;
  /** Where the data is; null if that cannot be measured now. */
  readonly freeBytes: () => number | null;
};

/** What the events have counted, and the current state of the parts. */
export const createMetrics = (deps: MetricsDeps): (() => string) => {
  const { registry } = deps.events;
  const { gauge, gaugeBy } = registry;
  addProcessMetrics(registry, deps.clock);
  gaugeBy('whoflake_pool_tokens', 'Tokens by state', {
    label: 'state',
    read: () => {
      const { healthy, cooling, suspect, retired } = deps.poolCounts();
      return { healthy, cooling, suspect, retired };
    },
  });
  gaugeBy('whoflake_invalid_requests_limit', 'Limit of invalid requests in ten minutes, by what it stops', {
    label: 'stops',
    read: () => deps.invalidRequestLimits,
  });
  gaugeBy('whoflake_vanity_links', 'Vanity links by state', { label: 'state', read: deps.vanityLinks });
  gaugeBy('whoflake_build_info', 'Always 1; the version is in the label', {
    label: 'version',
    read: () => ({ [deps.version]: 1 }),
  });
  gauge('whoflake_pool_waiting', 'Lookups waiting for a token', () => deps.poolCounts().waiting);
  gauge(
    'whoflake_captcha_difficulty_factor',
    'Times the default difficulty, for everybody, because tokens are scarce',
    deps.difficultyFactor,
  );
  gauge('whoflake_pool_in_flight', 'Requests to the platform in flight', () => deps.poolCounts().inFlight);
  gauge(
    'whoflake_invalid_requests',
    'Answers counting towards a ban in the last ten minutes',
    deps.invalidRequests,
  );
  gauge(
    'whoflake_egress_paused',
    '1 while sending is paused because the platform is failing, blocking us or about to',
    () => Number(deps.isEgressPaused()),
  );
  gaugeBy('whoflake_lookups_paused', '1 while lookups that are not cached are refused, by cause', {
    label: 'cause',
    read: () => {
      const cause = deps.readPause()?.cause;
      return Object.fromEntries(PAUSE_CAUSES.map((known) => [known, Number(known === cause)]));
    },
  });
  gauge('whoflake_profile_cache_entries', 'Profiles in the cache', deps.cachedProfiles);
  gauge(
    'whoflake_backup_timestamp_seconds',
    'Time of the last good scheduled backup; absent if none are scheduled',
    deps.backedUpAt,
  );
  gauge('whoflake_disk_free_bytes', 'Space left on the disk that holds the data', deps.freeBytes);
  return registry.render;
};
