import type { ErrorCode } from '#shared/contract/errors.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Clock } from '#server/system.ts';
import { createDurationHistogram, type DurationHistogram } from './duration-histogram.ts';
import type { Logger } from './logger.ts';
import * as outcomes from './outcomes.ts';
import { createRecentCount, type RecentCount } from './recent-count.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import { count, createTally, type Tally } from './tally.ts';

/**
 * What happens in the product, one function each: it counts, and it logs what an operator must hear of. No event
 * takes an id, an address or a token.
 */
export type Events = {
  readonly requestAnswered: RequestMeter['answered'];
  readonly requestRefused: (code: ErrorCode) => void;
  readonly requestFailed: (error: unknown) => void;
  readonly challengeIssued: () => void;
  readonly proofRedeemed: (outcome: outcomes.ProofOutcome) => void;
  readonly cacheAsked: (result: outcomes.CacheResult) => void;
  readonly lookupAnswered: (outcome: 'found' | 'not-found') => void;
  /** A lookup that was in order and still could not be served. */
  readonly lookupRefused: (code: ErrorCode) => void;
  readonly leaseEnded: (outcome: outcomes.LeaseOutcome, waitedMs: number) => void;
  readonly platformAnswered: (answer: PlatformAnswer<unknown>, tookMs: number) => void;
  /** The count of invalid requests could not be saved. */
  readonly journalFailed: () => void;
  readonly tokenRetired: (reason: outcomes.RetirementReason) => void;
  /** Donations and withdrawals whose proof was good. */
  readonly donationEnded: (outcome: outcomes.DonationOutcome) => void;
  readonly withdrawalEnded: (outcome: outcomes.WithdrawalOutcome) => void;
  readonly vanityLinkPaused: (because: string) => void;
  readonly tokensRefreshed: (report: TokenRefresh) => void;
  /** What another process has written could not be taken over; it is tried again. */
  readonly refreshFailed: (error: unknown) => void;
  /** Of the last hour, for everybody to see. */
  readonly recent: { readonly served: RecentCount; readonly refused: RecentCount };
  readonly figures: Figures;
};

/** How many stored tokens came into the pool, left it, or could not be opened. */
type TokenRefresh = { readonly opened: number; readonly removed: number; readonly unreadable: number };

/** What was counted, for the metrics to read. */
export type Figures = {
  readonly requests: RequestMeter['routes'];
  readonly challengesIssued: () => number;
  readonly tallies: Readonly<Record<TallyName, ReadonlyMap<string, number>>>;
  readonly leaseWaits: DurationHistogram;
  readonly upstreamDurations: DurationHistogram;
};

export type TallyName = keyof ReturnType<typeof createTallies>;

const createTallies = (errorCodes: readonly ErrorCode[]) => ({
  errors: createTally(errorCodes),
  proofs: createTally(outcomes.PROOF_OUTCOMES),
  cache: createTally(outcomes.CACHE_RESULTS),
  lookups: createTally<outcomes.LookupOutcome>(outcomes.LOOKUP_OUTCOMES),
  leases: createTally<outcomes.LeaseOutcome>(outcomes.LEASE_OUTCOMES),
  upstream: createTally(outcomes.UPSTREAM_OUTCOMES),
  retired: createTally(outcomes.RETIREMENT_REASONS),
  donations: createTally<outcomes.DonationOutcome>(outcomes.DONATION_OUTCOMES),
  withdrawals: createTally<outcomes.WithdrawalOutcome>(outcomes.WITHDRAWAL_OUTCOMES),
});

export type EventsDeps = {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly errorCodes: readonly ErrorCode[];
};

export const createEvents = ({ logger, clock, errorCodes }: EventsDeps): Events => {
  const recent = { served: createRecentCount(clock), refused: createRecentCount(clock) };
  const requests = createRequestMeter();
  const leaseWaits = createDurationHistogram();
  const upstreamDurations = createDurationHistogram();
  const tallies = createTallies(errorCodes);
  let challengesIssued = 0;
  const counting =
    <Label extends string>(tally: Tally<Label>) =>
    (label: Label): void =>
      count(tally, label);

  return {
    requestAnswered: requests.answered,
    requestRefused: counting(tallies.errors),
    vanityLinkPaused: (because) => {
      logger.warn({ event: 'vanity-link-paused', because }, 'a vanity link was paused');
    },
    tokensRefreshed: (report) => {
      const { opened, removed, unreadable } = report;
      if (unreadable > 0)
        logger.warn({ event: 'tokens-unreadable', unreadable }, 'donated tokens do not open');
      if (opened + removed > 0)
        logger.info({ event: 'tokens-refreshed', ...report }, 'donated tokens refreshed');
    },
    refreshFailed: (error) =>
      logger.error(
        { event: 'refresh-failed', ...describeError(error) },
        'the records could not be read again',
      ),
    requestFailed: (error) =>
      logger.error({ event: 'request-failed', ...describeError(error) }, 'a request failed'),
    challengeIssued: () => {
      challengesIssued += 1;
    },
    proofRedeemed: counting(tallies.proofs),
    cacheAsked: counting(tallies.cache),
    lookupAnswered: (outcome) => {
      count(tallies.lookups, outcome);
      recent.served.add();
    },
    lookupRefused: (code) => {
      count(tallies.lookups, code);
      recent.refused.add();
    },
    leaseEnded: (outcome, waitedMs) => {
      count(tallies.leases, outcome);
      if (outcome === 'granted') leaseWaits.observe(waitedMs);
    },
    journalFailed: () =>
      logger.warn({ event: 'journal-failed' }, 'the count of invalid requests could not be saved'),
    platformAnswered: (answer, tookMs) => {
      const outcome = answer.kind === 'failed' ? (`failed-${answer.reason}` as const) : answer.kind;
      count(tallies.upstream, outcome);
      upstreamDurations.observe(tookMs);
      if (outcome === 'blocked')
        logger.error({ event: 'platform-blocked' }, 'the platform blocks our address');
    },
    tokenRetired: (reason) => {
      count(tallies.retired, reason);
      logger.warn({ event: 'token-retired', reason }, 'a token was retired');
    },
    donationEnded: counting(tallies.donations),
    withdrawalEnded: counting(tallies.withdrawals),
    recent,
    figures: {
      requests: requests.routes,
      challengesIssued: () => challengesIssued,
      tallies,
      leaseWaits,
      upstreamDurations,
    },
  };
};

/** Name, code and stack frames only: messages may quote what a visitor sent. */
const describeError = (error: unknown): { name: string; code?: unknown; frames: string[] } => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { errcode, code = errcode } = error as Error & { code?: string; errcode?: number };
  return { name: error.name, code, frames: frames.map((line) => line.trim()) };
};
