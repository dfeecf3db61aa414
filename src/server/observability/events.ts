import type { ErrorCode } from '#shared/contract/errors.ts';
import { describeError, isDiskFull } from '#server/app-error.ts';
import type { PlatformOutcome } from '#server/platform/wire/platform-answer.ts';
import { isDefect } from '#server/storage/storage-fault.ts';
import type { Logger } from './logger.ts';
import { createCounters, type Counters } from './metrics.ts';
import { createRegistry, type Registry } from './registry.ts';

export type Events = ReturnType<typeof createEvents>;

const MOST_UNKNOWN_FIELDS = 20;

type RefreshReport = Readonly<Record<'opened' | 'removed' | 'unreadable' | 'otherPlatform', number>>;

/** No event takes an address, a token or the id of a person; `id` is what `ops tokens list` calls a token. */
export const createEvents = (logger: Logger) => {
  /** Those that are not in the records yet. */
  const lookups = { served: 0, refused: 0 };
  const registry = createRegistry();
  const counters = createCounters(registry);
  const records = recordEvents(logger, registry);
  /** By path and by label, so that the label of a path is made only once. */
  const routes = new Map<string, ReturnType<Counters['route']>>();
  const addRoute = (path: string) => {
    // Without the expression that a parameter must match.
    const label = folderOf(path.replace(/\(\^.*\$\)/, ''));
    const route = routes.get(label) ?? counters.route(label);
    routes.set(label, route).set(path, route);
    return route;
  };
  const unknownFields = new Set<string>();
  return {
    /** `path` is the registered pattern, never the requested path; undefined for unknown paths. */
    requestAnswered: (path = 'unknown', status: number, tookMs: number): void => {
      const route = routes.get(path) ?? addRoute(path);
      route.answered(status);
      route.took(tookMs / 1_000);
    },
    requestRefused: counters.errors,
    requestFailed: (error: unknown): void =>
      isDefect(error)
        ? logger.error({ event: 'request-failed', ...describeError(error) }, 'a request failed')
        : records.storageFailed(error),
    challengeIssued: counters.challenges,
    proofRedeemed: counters.proofs,
    cacheAsked: counters.cache,
    lookupAnswered: (outcome: 'found' | 'not-found'): void => {
      counters.lookups(outcome);
      lookups.served += 1;
    },
    lookupRefused: (code: ErrorCode): void => {
      counters.lookups(code);
      lookups.refused += 1;
    },
    /** What servers share cannot be used: it does not come to a lookup. */
    visitorTurnedAway: (): void => {
      lookups.refused += 1;
    },
    /** Names from outside, so each is logged once, and only so many are. */
    userRead: (names: readonly string[]): void => {
      for (const field of names) {
        if (unknownFields.has(field) || unknownFields.size >= MOST_UNKNOWN_FIELDS) continue;
        unknownFields.add(field);
        logger.info({ event: 'unknown-field', field }, 'Discord sends something that Whoflake does not show');
      }
    },
    unknownFields: (): string[] => [...unknownFields],
    leaseEnded: (outcome: 'granted' | 'aborted' | ErrorCode, waitedMs: number): void => {
      counters.leases(outcome);
      if (outcome === 'granted') counters.leaseWaited(waitedMs / 1_000);
    },
    platformAnswered: (outcome: PlatformOutcome, tookMs: number): void => {
      counters.platformRequests(outcome);
      counters.platformTook(tookMs / 1_000);
      if (outcome === 'blocked')
        logger.error({ event: 'platform-blocked' }, 'the platform is blocking our address');
    },
    tokenSuspected: (because: 'unauthorized' | 'foreign', id: string): void => {
      counters.suspicions(because);
      logger.warn(
        { event: 'token-suspected', because, id },
        'a token was refused: it is on hold, and the platform is asked about it',
      );
    },
    tokenRetired: (id: string): void => {
      counters.retirements();
      logger.warn(
        { event: 'token-retired', id },
        'the platform has refused a token for three days: it is no longer used',
      );
    },
    donationEnded: counters.donations,
    withdrawalEnded: counters.withdrawals,
    vanityLinkPaused: (because: string): void =>
      logger.warn({ event: 'vanity-link-paused', because }, 'a vanity link was paused'),
    ...records,
    ...stateEvents(logger, counters),
    lookups,
    registry,
  };
};

/** The names of files change from build to build, so a folder counts as one route. */
const folderOf = (route: string): string => route.replace(/^(\/[^/]+\/).+$/, '$1*');

const stateEvents = (logger: Logger, counters: Counters) => ({
  stateCalled: (tookMs: number, outcome: 'answered' | 'failed'): void => {
    counters.stateCalls(outcome);
    counters.stateTook(tookMs / 1_000);
  },
  stateLost: (problem: string): void =>
    logger.error({ event: 'state-lost', problem }, 'PostgreSQL cannot be used: visitors are refused'),
  stateFound: (): void => logger.info({ event: 'state-found' }, 'PostgreSQL can be used'),
  layoutChanged: (): void =>
    logger.error(
      { event: 'layout-changed' },
      'a server of another version has changed the tables: this one stops, upgrade it',
    ),
});

const recordEvents = (logger: Logger, registry: Registry) => {
  let areRecordsRead = true;
  let areTokensHeld = false;
  const unreadable = new Set<string>();
  registry.gauge('whoflake_records_up', '1 while the database can be read', () => Number(areRecordsRead));
  return {
    storageFailed: (error: unknown): void =>
      isDiskFull(error)
        ? logger.error({ event: 'storage-full' }, 'there is no space left in DATA_DIR')
        : logger.error(
            { event: 'storage-failed', ...describeError(error) },
            'the database could not be used',
          ),
    tokensRefreshed: (report: RefreshReport): void => {
      const { opened, removed, unreadable, otherPlatform } = report;
      if (otherPlatform > 0)
        logger.warn(
          { event: 'tokens-of-other-platform', count: otherPlatform },
          'some stored tokens were donated to another platform, and are not used',
        );
      if (unreadable > 0)
        logger.warn({ event: 'tokens-unreadable', unreadable }, 'some donated tokens cannot be opened');
      if (opened + removed > 0)
        logger.info({ event: 'tokens-refreshed', ...report }, 'donated tokens refreshed');
    },
    recordUnreadable: (name: string): void => {
      if (!unreadable.has(name))
        logger.error(
          { event: 'record-unreadable', name },
          'this record in the database cannot be read: it counts as new',
        );
      unreadable.add(name);
    },
    journalFailed: (): void =>
      logger.warn({ event: 'journal-failed' }, 'what the platform holds against us could not be noted'),
    databaseReplaced: (): void =>
      logger.error({ event: 'database-replaced' }, 'the database was moved, deleted or replaced'),
    refreshFailed: (error: unknown): void => {
      if (areRecordsRead)
        logger.error(
          { event: 'refresh-failed', ...describeError(error) },
          'the database could not be read again',
        );
      areRecordsRead = false;
    },
    recordsRead: (): void => {
      if (!areRecordsRead) logger.info({ event: 'records-read' }, 'the database can be read again');
      areRecordsRead = true;
    },
    tokensHeld: (areHeld: boolean): void => {
      if (areHeld && !areTokensHeld)
        logger.error(
          { event: 'tokens-held' },
          'the database was restored: stored tokens are not used until all lists of withdrawn tokens are merged, see ops help withdrawn',
        );
      areTokensHeld = areHeld;
    },
  };
};
