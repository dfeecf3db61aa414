import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Clock } from '#server/system.ts';
import type { Logger } from './logger.ts';
import { createRecentCount, type RecentCount } from './recent-count.ts';

/** Counts by label; read by the metrics when they are asked for, so that counting costs one addition. */
export type Tally = Map<string, number>;

/**
 * What happens in the product, one function each: it counts, and it logs what an operator must hear of. No event
 * takes an id, an address or a token.
 */
export type Events = {
  readonly challengeIssued: () => void;
  readonly proofRedeemed: (outcome: string) => void;
  readonly lookedUp: (source: 'cached' | 'fetched') => void;
  readonly lookupAnswered: (outcome: 'found' | 'not-found') => void;
  /** A lookup that was in order and still could not be served. */
  readonly lookupRefused: () => void;
  readonly requestRefused: (code: ErrorCode) => void;
  readonly upstreamAnswered: (kind: string) => void;
  readonly tokenRetired: (reason: string) => void;
  readonly vanityLinkPaused: (because: string) => void;
  readonly tokensRefreshed: (report: TokenRefresh) => void;
  /** What another process has written could not be taken over; it is tried again. */
  readonly refreshFailed: (error: unknown) => void;
  readonly requestFailed: (error: unknown) => void;
  /** Of the last hour, for everybody to see. */
  readonly recent: { readonly served: RecentCount; readonly refused: RecentCount };
  readonly tallies: Readonly<Record<TallyName, Tally>>;
};

/** How many stored tokens came into the pool, left it, or could not be opened. */
type TokenRefresh = { readonly opened: number; readonly removed: number; readonly unreadable: number };

export type TallyName =
  | 'challenges'
  | 'proofs'
  | 'lookups'
  | 'lookupSources'
  | 'refusals'
  | 'upstream'
  | 'retired';

export const createEvents = (logger: Logger, clock: Clock): Events => {
  const recent = { served: createRecentCount(clock), refused: createRecentCount(clock) };
  const tallies: Record<TallyName, Tally> = {
    challenges: new Map(),
    proofs: new Map(),
    lookups: new Map(),
    lookupSources: new Map(),
    refusals: new Map(),
    upstream: new Map(),
    retired: new Map(),
  };
  const count = (name: TallyName, label: string): void => {
    const tally = tallies[name];
    tally.set(label, (tally.get(label) ?? 0) + 1);
  };

  return {
    challengeIssued: () => count('challenges', 'issued'),
    proofRedeemed: (outcome) => count('proofs', outcome),
    lookedUp: (source) => count('lookupSources', source),
    lookupAnswered: (outcome) => {
      count('lookups', outcome);
      recent.served.add();
    },
    lookupRefused: recent.refused.add,
    requestRefused: (code) => count('refusals', code),
    upstreamAnswered: (kind) => {
      count('upstream', kind);
      if (kind === 'blocked') logger.error({ event: 'platform-blocked' }, 'the platform blocks our address');
    },
    tokenRetired: (reason) => {
      count('retired', reason);
      logger.warn({ event: 'token-retired', reason }, 'a token was retired');
    },
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
    recent,
    tallies,
  };
};

/** Name, code and stack frames only: messages may quote what a visitor sent. */
const describeError = (error: unknown): { name: string; code?: unknown; frames: string[] } => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const { errcode, code = errcode } = error as Error & { code?: string; errcode?: number };
  return { name: error.name, code, frames: frames.map((line) => line.trim()) };
};
