import { resolve } from 'node:path';
import { difficultyFactor } from './admission/admission.ts';
import type { Config, ListenAddress } from './config.ts';
import { createTokenReport } from './donation/token-report.ts';
import { createAdminServer } from './http/admin-server.ts';
import type { Drain } from './http/drain.ts';
import type { UntrustedProxy } from './http/untrusted-proxy.ts';
import type { Overload } from './http/overload.ts';
import type { Lookup } from './lookup/lookup.ts';
import type { Events } from './observability/events.ts';
import { createMetrics } from './observability/metrics.ts';
import type { Records } from './open-records.ts';
import type { Platform } from './platform/platform.ts';
import type { UnknownFields } from './platform/wire/unknown-fields.ts';
import type { OwnTokens } from './pool/own-tokens.ts';
import type { Retirements } from './pool/retirements.ts';
import type { TokenPool } from './pool/token-pool.ts';
import { INVALID_REQUEST_LIMIT, TOKEN_CHECK_LIMIT } from './rules/standing.ts';
import type { Status } from './status/status.ts';
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
  readonly status: Status;
  readonly lookup: Lookup;
  readonly egressPerSecond: number;
  readonly vanity: Vanity;
  readonly drain: Drain;
  readonly overload: Overload;
  readonly untrustedProxy: UntrustedProxy;
  readonly unknownFields: UnknownFields;
  /** What commands compare their own settings with. */
  readonly platformKind: Config['platform']['kind'];
  readonly dataDir: string;
  readonly isSameDatabase: () => boolean;
  readonly lastBackup: Records['lastBackup'];
  readonly freeBytes: () => number | null;
  readonly admin: ListenAddress;
  readonly vault: OpenedVault;
  readonly retirements: Retirements;
  /** Why PostgreSQL cannot be used. */
  readonly problem: () => string | null;
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
    isEgressPaused: () => platform.pause() !== null,
    readPause: status.readPause,
    cachedProfiles: lookup.cachedProfiles,
    vanityLinks: vanity.links.counts,
    backedUpAt: () => {
      const last = parts.lastBackup();
      return last && Date.parse(last.at) / 1_000;
    },
    freeBytes: parts.freeBytes,
  });
  const startedMs = clock.monotonicMs();
  const readiness = () => ({
    ready:
      !drain.isDraining() &&
      !overload.isShedding() &&
      parts.isSameDatabase() &&
      parts.vault.keyringProblem() === null &&
      parts.problem() === null,
    details: {
      draining: drain.isDraining(),
      database_replaced: !parts.isSameDatabase(),
      overloaded: overload.isShedding(),
      keyring_problem: parts.vault.keyringProblem(),
      postgres_problem: parts.problem(),
      paused: status.readPause(),
      untrusted_proxy: parts.untrustedProxy.recent(),
      unknown_fields: parts.unknownFields.names(),
      platform: parts.platformKind,
      data_dir: resolve(parts.dataDir),
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
    host: parts.admin.host,
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
