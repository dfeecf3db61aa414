import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Clock } from '#server/system.ts';
import { createCounters, type Counters, type PlatformOutcome } from './counters.ts';
import type { Logger } from './logger.ts';
import { createRecentCount, type RecentCount } from './recent-count.ts';
import { createRegistry, type Registry } from './registry.ts';

/**
 * What happens in the product, one function each: it counts, and it logs what an operator must hear of. No event
 * takes an id, an address or a token.
 */
export type Events = {
  /** `route` is the pattern that was registered, never the path that was asked for; undefined if there is none. */
  readonly requestAnswered: (route: string | undefined, status: number, tookMs: number) => void;
  readonly requestRefused: Counters['errors'];
  readonly requestFailed: (error: unknown) => void;
  readonly challengeIssued: () => void;
  readonly proofRedeemed: Counters['proofs'];
  readonly cacheAsked: Counters['cache'];
  readonly lookupAnswered: (outcome: 'found' | 'not-found') => void;
  /** A lookup that was in order and still could not be served. */
  readonly lookupRefused: (code: ErrorCode) => void;
  readonly leaseEnded: (outcome: 'granted' | 'aborted' | ErrorCode, waitedMs: number) => void;
  readonly platformAnswered: (outcome: PlatformOutcome, tookMs: number) => void;
  /** The count of invalid requests could not be saved. */
  readonly journalFailed: () => void;
  readonly tokenRetired: Counters['retirements'];
  /** Donations and withdrawals whose proof was good. */
  readonly donationEnded: Counters['donations'];
  readonly withdrawalEnded: Counters['withdrawals'];
  readonly vanityLinkPaused: (because: string) => void;
  readonly tokensRefreshed: (report: TokenRefresh) => void;
  /** What another process has written could not be taken over; it is tried again. */
  readonly refreshFailed: (error: unknown) => void;
  /** Of the last hour, for everybody to see. */
  readonly recent: { readonly served: RecentCount; readonly refused: RecentCount };
  /** What was counted, for the metrics. */
  readonly registry: Registry;
};

/** How many stored tokens came into the pool, left it, or could not be opened. */
type TokenRefresh = { readonly opened: number; readonly removed: number; readonly unreadable: number };

export type EventsDeps = { readonly logger: Logger; readonly clock: Clock };

export const createEvents = ({ logger, clock }: EventsDeps): Events => {
  const recent = { served: createRecentCount(clock), refused: createRecentCount(clock) };
  const registry = createRegistry();
  const counters = createCounters(registry);
  /** By path and by label, so that a label is made only once for each path. */
  const routes = new Map<string, ReturnType<Counters['route']>>();
  const addRoute = (path: string) => {
    const label = folderOf(path);
    const route = routes.get(label) ?? counters.route(label);
    routes.set(label, route).set(path, route);
    return route;
  };
  let challenges = 0;
  registry.total('whoflake_challenges_issued_total', 'Captcha challenges handed out', () => challenges);

  return {
    requestAnswered: (path = 'unknown', status, tookMs) => {
      const route = routes.get(path) ?? addRoute(path);
      route.answered(status);
      route.took(tookMs / 1_000);
    },
    requestRefused: counters.errors,
    requestFailed: (error) =>
      logger.error({ event: 'request-failed', ...describeError(error) }, 'a request failed'),
    challengeIssued: () => {
      challenges += 1;
    },
    proofRedeemed: counters.proofs,
    cacheAsked: counters.cache,
    lookupAnswered: (outcome) => {
      counters.lookups(outcome);
      recent.served.add();
    },
    lookupRefused: (code) => {
      counters.lookups(code);
      recent.refused.add();
    },
    leaseEnded: (outcome, waitedMs) => {
      counters.leases(outcome);
      if (outcome === 'granted') counters.leaseWaited(waitedMs / 1_000);
    },
    platformAnswered: (outcome, tookMs) => {
      counters.platformRequests(outcome);
      counters.platformTook(tookMs / 1_000);
      if (outcome === 'blocked')
        logger.error({ event: 'platform-blocked' }, 'the platform blocks our address');
    },
    tokenRetired: (reason) => {
      counters.retirements(reason);
      logger.warn({ event: 'token-retired', reason }, 'a token was retired');
    },
    donationEnded: counters.donations,
    withdrawalEnded: counters.withdrawals,
    vanityLinkPaused: (because) =>
      logger.warn({ event: 'vanity-link-paused', because }, 'a vanity link was paused'),
    tokensRefreshed: (report) => {
      const { opened, removed, unreadable } = report;
      if (unreadable > 0)
        logger.warn({ event: 'tokens-unreadable', unreadable }, 'donated tokens do not open');
      if (opened + removed > 0)
        logger.info({ event: 'tokens-refreshed', ...report }, 'donated tokens refreshed');
    },
    journalFailed: () =>
      logger.warn({ event: 'journal-failed' }, 'the count of invalid requests could not be saved'),
    refreshFailed: (error) =>
      logger.error(
        { event: 'refresh-failed', ...describeError(error) },
        'the records could not be read again',
      ),
    recent,
    registry,
  };
};

/** Files are routes of their own, with names that change from build to build, so each folder counts as one. */
const folderOf = (route: string): string => route.replace(/^(\/[^/]+\/).+$/, '$1*');

/** Name, code and stack frames only: messages may quote what a visitor sent. */
const describeError = (error: unknown): { name: string; code?: unknown; frames: string[] } => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { errcode, code = errcode } = error as Error & { code?: string; errcode?: number };
  return { name: error.name, code, frames: frames.map((line) => line.trim()) };
};
