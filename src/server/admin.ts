import { difficultyFactor } from './captcha/captcha.ts';
import { createTokenReport } from './donation/token-report.ts';
import { createAdminServer } from './http/admin-server.ts';
import type { Drain } from './http/drain.ts';
import type { Overload } from './http/overload.ts';
import type { Lookup } from './lookup/lookup.ts';
import type { Events } from './observability/events.ts';
import { createMetrics } from './observability/metrics.ts';
import { INVALID_REQUEST_LIMIT, TOKEN_CHECK_LIMIT } from './platform/invalid-requests.ts';
import type { Records } from './open-records.ts';
import type { Platform } from './platform/platform.ts';
import type { OwnTokens } from './pool/own-tokens.ts';
import type { PoolStatus } from './pool/pool-status.ts';
import type { Retirements } from './pool/retirements.ts';
import type { TokenPool } from './pool/token-pool.ts';
import type { SharedStore } from './storage/redis/shared-store.ts';
import type { Clock } from './system.ts';
import type { Vanity } from './vanity/vanity.ts';
import type { OpenedVault } from './vault/open-vault.ts';
import manifest from '#package.json' with { type: 'json' };
import type { Server } from 'node:http';

type AdminParts = {
  readonly clock: Clock;
  readonly events: Events;
  readonly platform: Platform;
  readonly pool: TokenPool;
  readonly ownTokens: OwnTokens;
  readonly status: PoolStatus;
  readonly lookup: Lookup;
  readonly egressPerSecond: number;
  readonly vanity: Vanity;
  readonly drain: Drain;
  readonly overload: Overload;
  /** Another server has taken this one's place, and they may not run side by side. */
  readonly isReplaced: () => boolean;
  readonly isSameDatabase: () => boolean;
  readonly lastBackup: Records['lastBackup'];
  readonly freeBytes: () => number;
  readonly vault: OpenedVault;
  readonly retirements: Retirements;
  /** Null if there is only one node. */
  readonly sharedStore: SharedStore | null;
};

/** What the operator's tools are told about the parts. */
export const createAdmin = (parts: AdminParts): Server => {
  const { clock, events, platform, pool, status, lookup, vanity, drain, overload } = parts;
  const poolCounts = () => ({ ...pool.counts(), retired: status.retired() });
  const metrics = createMetrics({
    clock,
    events,
    version: manifest.version,
    poolCounts,
    difficultyFactor: () => difficultyFactor(pool.scarcity()),
    invalidRequests: platform.invalidRequests,
    invalidRequestLimits: { 'token-checks': TOKEN_CHECK_LIMIT, everything: INVALID_REQUEST_LIMIT },
    isEgressPaused: () => platform.pause(clock.monotonicMs()) !== null,
    readPause: status.readPause,
    cachedProfiles: lookup.cachedProfiles,
    vanityLinks: vanity.links.counts,
    backedUpAt: () => {
      const last = parts.lastBackup();
      return last && Date.parse(last.at) / 1_000;
    },
    freeBytes: parts.freeBytes,
  });
  const { sharedStore } = parts;
  const startedMs = clock.monotonicMs();
  const readiness = () => ({
    ready:
      !drain.isDraining() &&
      !overload.isShedding() &&
      parts.isSameDatabase() &&
      !parts.isReplaced() &&
      parts.vault.keyringProblem() === null &&
      (sharedStore === null || sharedStore.problem() === null),
    details: {
      draining: drain.isDraining(),
      database_replaced: !parts.isSameDatabase(),
      server_replaced: parts.isReplaced(),
      overloaded: overload.isShedding(),
      keyring_problem: parts.vault.keyringProblem(),
      ...(sharedStore && { shared_store_problem: sharedStore.problem() }),
      paused: status.readPause(),
      lookups_last_hour: status.read().lookups_last_hour,
      pool: describePool(poolCounts()),
      invalid_requests: platform.invalidRequests(),
      invalid_requests_limit: INVALID_REQUEST_LIMIT,
      egress_per_second: parts.egressPerSecond,
      disk_free_bytes: parts.freeBytes(),
      version: manifest.version,
      uptime_seconds: Math.round((clock.monotonicMs() - startedMs) / 1_000),
    },
  });
  return createAdminServer({
    metrics,
    onFailure: events.requestFailed,
    readTokens: createTokenReport(parts),
    readiness,
  });
};

/** As commands and scripts read it. */
const describePool = ({ inFlight, ...counts }: ReturnType<TokenPool['counts']>) => ({
  ...counts,
  in_flight: inFlight,
});
