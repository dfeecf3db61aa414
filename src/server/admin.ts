import { resolve } from 'node:path';
import { describeError } from './app-error.ts';
import type { Config } from './config.ts';
import { createTokenReport } from './donation/token-report.ts';
import { createAdminServer } from './http/admin-server.ts';
import type { PublicServer } from './http/public-server.ts';
import { createHousekeeping, type HousekeepingDeps } from './notices/housekeeping.ts';
import { createNotices, findConditions, type NoticesDeps } from './notices/notices.ts';
import type { Events } from './observability/events.ts';
import { addProcessMetrics } from './observability/metrics.ts';
import type { Logger } from './observability/logger.ts';
import type { Records } from './open-records.ts';
import { INVALID_REQUEST_LIMIT, TOKEN_CHECK_LIMIT } from './platform/standing.ts';
import { isStorageFault } from './storage/storage-fault.ts';
import type { Clock, System } from './system.ts';
import type { State } from './open-state.ts';
import type { createStatus } from './status/status.ts';
import type { watchChanges } from './storage/change-watch.ts';
import type { OwnTokens, TokenPool } from './tokens/token-pool.ts';
import type { createVanity } from './vanity/vanity-links.ts';
import type { Lookup } from './lookup/lookup.ts';
import type { Platform } from './platform/platform.ts';
import manifest from '#package.json' with { type: 'json' };
import { PAUSE_CAUSES } from '#shared/contract/status.ts';
import type { Server } from 'node:http';

type AdminParts = {
  readonly config: Config;
  /** Of the platform. */
  readonly apiUrl: string;
  readonly records: Records;
  readonly clock: Clock;
  readonly events: Events;
  readonly state: State;
  readonly platform: Platform;
  readonly pool: TokenPool;
  readonly ownTokens: OwnTokens;
  readonly status: ReturnType<typeof createStatus>;
  readonly lookup: Lookup;
  readonly vanity: ReturnType<typeof createVanity>;
  readonly publicServer: PublicServer;
  readonly watch: ReturnType<typeof watchChanges>;
};

const causeOf = (error: unknown): string =>
  isStorageFault(error) ? (error as Error).message : describeError(error).name;

export const createAdmin = (parts: AdminParts): Server => {
  const { config, records, clock, events, publicServer, state, platform, pool, ownTokens, status } = parts;
  const { vault, retirements } = records;
  addGauges(parts);
  const startedMs = clock.monotonicMs();
  const readiness = () => {
    const { inFlight: in_flight, ...counts } = pool.counts();
    const { paused, lookups_last_hour, tokens } = status.read();
    const failure = parts.watch.failure();
    const problems = {
      draining: publicServer.isDraining(),
      database_replaced: !records.isSameDatabase(),
      overloaded: publicServer.isShedding(),
      postgres_problem: state.problem(),
      records_problem: failure === null ? null : causeOf(failure),
    };
    return {
      ready: !Object.values(problems).some(Boolean),
      ...problems,
      paused,
      tokens_held: !records.withdrawn.isComplete(),
      untrusted_proxy: publicServer.untrustedProxy(),
      platform: config.platform.kind,
      api_url: parts.apiUrl,
      data_dir: resolve(config.dataDir),
      lookups_last_hour,
      pool: { ...counts, in_flight, retired: tokens.retired },
      invalid_requests: platform.invalidRequests(),
      invalid_requests_limit: INVALID_REQUEST_LIMIT,
      egress_per_second: config.egressPerSecond,
      unknown_fields: events.unknownFields(),
      disk_free_bytes: records.freeBytes(),
      version: manifest.version,
      uptime_seconds: Math.round((clock.monotonicMs() - startedMs) / 1_000),
    };
  };
  return createAdminServer({
    host: config.admin.host,
    metrics: events.registry.render,
    onFailure: events.requestFailed,
    readTokens: createTokenReport({ vault, retirements, pool, ownTokens }),
    readiness,
  });
};

const addGauges = (parts: AdminParts): void => {
  const { records, clock, events, platform, pool, status, lookup, vanity } = parts;
  const { registry } = events;
  const { gauge, gaugeBy } = registry;
  addProcessMetrics(registry, clock);
  gaugeBy('whoflake_pool_tokens', 'Tokens by state', {
    state: () => {
      const { healthy, cooling, suspect } = pool.counts();
      return { healthy, cooling, suspect, retired: status.read().tokens.retired };
    },
  });
  gaugeBy('whoflake_invalid_requests_limit', 'Limit of invalid requests in ten minutes, by what it stops', {
    stops: () => ({ 'token-checks': TOKEN_CHECK_LIMIT, everything: INVALID_REQUEST_LIMIT }),
  });
  gaugeBy('whoflake_vanity_links', 'Vanity links by state', { state: vanity.links.counts });
  gaugeBy('whoflake_build_info', 'Always 1; the version is in the label', {
    version: () => ({ [manifest.version]: 1 }),
  });
  gauge('whoflake_pool_waiting', 'Lookups waiting for a token', () => pool.counts().waiting);
  gauge('whoflake_pool_in_flight', 'Requests to the platform in flight', platform.inFlight);
  gauge('whoflake_invalid_requests', 'Invalid requests in the last ten minutes', platform.invalidRequests);
  gauge('whoflake_egress_paused', '1 while nothing is sent', () => Number(platform.pause() !== null));
  gaugeBy('whoflake_lookups_paused', '1 while lookups that are not cached are refused, by cause', {
    cause: () => {
      const cause = status.read().paused?.cause;
      return Object.fromEntries(PAUSE_CAUSES.map((known) => [known, Number(known === cause)]));
    },
  });
  gauge('whoflake_profile_cache_entries', 'Profiles in the cache', lookup.cachedProfiles);
  gauge('whoflake_backup_timestamp_seconds', 'Time of the last good scheduled backup', () => {
    const last = records.lastBackup();
    return last && Date.parse(last.at) / 1_000;
  });
  gauge('whoflake_disk_free_bytes', 'Space left on the disk that holds the data', records.freeBytes);
};

export type NoticeParts = Pick<AdminParts, 'config' | 'records' | 'state' | 'status' | 'pool'> & {
  readonly system: System;
  readonly logger: Logger;
  /** Of this server. */
  readonly name: string;
  readonly runCommand: HousekeepingDeps['run'];
  readonly lostServers: HousekeepingDeps['lostServers'];
  readonly sendNotice?: NoticesDeps['send'] | undefined;
};

export const createOperatorNotices = (parts: NoticeParts) => {
  const { config, records, system, logger, name, state, status, pool } = parts;
  const { runCommand, lostServers, sendNotice } = parts;
  const { clock } = system;
  const backupDir = config.databaseUrl === null ? config.backupDir : null;
  const housekeeping = createHousekeeping({
    ...records,
    clock,
    logger,
    run: runCommand,
    backupDir,
    isBackupExpected: config.backupDir !== null,
    lostServers,
  });
  const notices =
    sendNotice &&
    createNotices({
      clock,
      site: config.brandName,
      server: name,
      send: sendNotice,
      conditions: () => [
        ...findConditions(status.read().paused, pool.counts(), {
          ...config,
          tokensHeld: !records.withdrawn.isComplete(),
          postgresProblem: state.problem(),
        }),
        ...housekeeping.findings(),
      ],
      onFailure: (reason) =>
        logger.warn({ event: 'notice-failed', reason }, 'NOTIFY_URL did not take a message'),
    });
  return {
    tokenRetired: (id: string): void => notices?.tell('token-retired', id),
    start: (isAfterCrash = false): void => {
      housekeeping.start();
      notices?.start();
      if (isAfterCrash) notices?.tell('restarted');
    },
    stop: (): void => {
      for (const part of [housekeeping, notices]) void part?.stop();
    },
  };
};
