import type { PlatformOutcome } from '#server/platform/wire/platform-answer.ts';
import { ERROR_CODES, errorCodesAbout, type ErrorCode } from '#shared/contract/errors.ts';
import type { Registry } from './registry.ts';

export type Counters = ReturnType<typeof createCounters>;

export const createCounters = ({ counter, histogram, withLabels }: Registry) => ({
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
  donations: counter<'accepted' | ErrorCode>('whoflake_donations_total', 'Token donations by outcome', {
    outcome: ['accepted', ...errorCodesAbout('token', 'donations', 'storage', 'internal')],
  }),
  withdrawals: counter<'accepted' | ErrorCode>(
    'whoflake_withdrawals_total',
    'Token withdrawals with a good proof by outcome',
    { outcome: ['accepted', ...errorCodesAbout('storage', 'internal')] },
  ),
});
