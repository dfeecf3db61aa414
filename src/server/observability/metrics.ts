import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PlatformOutcome } from '#server/platform/wire/platform-answer.ts';
import type { Clock } from '#server/system.ts';
import { ERROR_CODES, errorCodesAbout, type ErrorCode } from '#shared/contract/errors.ts';
import type { Registry } from './registry.ts';

export type Counters = ReturnType<typeof createCounters>;

export const createCounters = ({ counter, tally, histogram, withLabels }: Registry) => ({
  route: (route: string) => {
    const of = withLabels({ route });
    return {
      answered: of.counter<number>('whoflake_http_requests_total', 'Requests by route and status', {
        status: [],
      }),
      took: of.histogram('whoflake_http_request_duration_seconds', 'Time to the answer, by route'),
    };
  },
  leaseWaited: histogram('whoflake_lease_wait_seconds', 'Time lookups waited for a token'),
  stateTook: histogram('whoflake_state_call_duration_seconds', 'Time PostgreSQL took to answer them'),
  platformTook: histogram('whoflake_platform_request_duration_seconds', 'Time the platform took to answer'),
  stateCalls: counter('whoflake_state_calls_total', 'Messages to PostgreSQL by outcome', {
    outcome: ['answered', 'failed'],
  }),
  errors: counter('whoflake_http_errors_total', 'Error answers by code', { code: ERROR_CODES }),
  challenges: tally('whoflake_challenges_issued_total', 'Captcha challenges handed out'),
  proofs: counter('whoflake_proofs_total', 'Captcha proofs by outcome', {
    outcome: ['accepted', 'invalid', 'expired', 'used', 'unavailable'],
  }),
  cache: counter('whoflake_profile_cache_requests_total', 'Lookups by cache result', {
    result: ['hit', 'miss'],
  }),
  lookups: counter<'found' | 'not-found' | ErrorCode>(
    'whoflake_lookups_total',
    'Lookups with a good proof by outcome',
    { outcome: ['found', 'not-found', ...errorCodesAbout('platform', 'pool', 'internal')] },
  ),
  leases: counter<'granted' | 'aborted' | ErrorCode>(
    'whoflake_leases_total',
    'Requests for a token by outcome',
    { outcome: ['granted', 'aborted', 'platform-paused', ...errorCodesAbout('pool')] },
  ),
  platformRequests: counter<PlatformOutcome>(
    'whoflake_platform_requests_total',
    'Requests to the platform by outcome',
    {
      outcome: [
        'found',
        'not-found',
        'refused',
        'rate-limited',
        'unauthorized',
        'forbidden',
        'blocked',
        'foreign',
        'failed-status',
        'failed-malformed',
        'failed-network',
        'failed-timeout',
      ],
    },
  ),
  suspicions: counter('whoflake_tokens_suspected_total', 'Tokens put on hold for a check, by reason', {
    reason: ['unauthorized', 'foreign'],
  }),
  retirements: tally('whoflake_tokens_retired_total', 'Tokens that the platform rejected for days'),
  donations: counter<'accepted' | ErrorCode>('whoflake_donations_total', 'Token donations by outcome', {
    outcome: ['accepted', ...errorCodesAbout('token', 'donations', 'storage', 'internal')],
  }),
  withdrawals: counter<'accepted' | ErrorCode>(
    'whoflake_withdrawals_total',
    'Token withdrawals with a good proof by outcome',
    { outcome: ['accepted', ...errorCodesAbout('storage', 'internal')] },
  ),
});

/** Longer than most scrape intervals. */
const LAG_WINDOW_MS = 30_000;

/** Under the names that other Node programs use. */
export const addProcessMetrics = (registry: Registry, clock: Clock): void => {
  const { total, gauge } = registry;
  total('process_cpu_seconds_total', 'User and system CPU time spent', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge(
    'process_start_time_seconds',
    'Start time of the process since the Unix epoch',
    () => performance.timeOrigin / 1_000,
  );
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);
  addFileDescriptors(registry);
  addEventLoopLag(registry, clock);
};

const addFileDescriptors = ({ gauge }: Registry): void => {
  if (process.platform !== 'linux') return;
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  // Reading the folder opens one more.
  gauge('process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1);
  gauge('process_max_fds', 'Maximum number of open file descriptors', () => Number(limit ?? Infinity));
};

/** Of the last whole window, so that one reader takes nothing from another. */
const addEventLoopLag = ({ gauge }: Registry, clock: Clock): void => {
  const delays = monitorEventLoopDelay();
  delays.enable();
  let sinceMs = clock.monotonicMs();
  let last = { p50: 0, p99: 0, max: 0 };
  const look = () => {
    if (clock.monotonicMs() - sinceMs >= LAG_WINDOW_MS) {
      last = { p50: delays.percentile(50), p99: delays.percentile(99), max: delays.max };
      delays.reset();
      sinceMs = clock.monotonicMs();
    }
    return last;
  };
  for (const name of ['p50', 'p99', 'max'] as const)
    gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      `Event loop delay in half a minute or more, ${name}`,
      () => look()[name] / 1e9,
    );
};
