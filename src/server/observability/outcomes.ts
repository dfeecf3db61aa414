import type { ErrorCode } from '#shared/contract/errors.ts';

/** The ways in which things end, as the metrics name them. Those of visitors may also be any other error code. */
export const PROOF_OUTCOMES = ['accepted', 'invalid', 'expired', 'used', 'unavailable'] as const;
export const CACHE_RESULTS = ['hit', 'miss'] as const;
export const RETIREMENT_REASONS = ['unauthorized', 'foreign'] as const;
export const LEASE_OUTCOMES = ['granted', 'pool-busy', 'pool-empty', 'platform-paused', 'aborted'] as const;
export const WITHDRAWAL_OUTCOMES = ['accepted', 'storage-failed'] as const;
export const LOOKUP_OUTCOMES = [
  'found',
  'not-found',
  'platform-failed',
  'platform-paused',
  'platform-timeout',
  'pool-busy',
  'pool-empty',
  'internal',
] as const;
export const DONATION_OUTCOMES = [
  'accepted',
  'donations-paused',
  'storage-failed',
  'token-in-servers',
  'token-known',
  'token-rejected',
  'token-user',
] as const;
export const UPSTREAM_OUTCOMES = [
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
] as const;

export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];
export type CacheResult = (typeof CACHE_RESULTS)[number];
export type RetirementReason = (typeof RETIREMENT_REASONS)[number];
export type LeaseOutcome = (typeof LEASE_OUTCOMES)[number] | ErrorCode;
export type WithdrawalOutcome = (typeof WITHDRAWAL_OUTCOMES)[number] | ErrorCode;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number] | ErrorCode;
export type DonationOutcome = (typeof DONATION_OUTCOMES)[number] | ErrorCode;
export type UpstreamOutcome = (typeof UPSTREAM_OUTCOMES)[number];
