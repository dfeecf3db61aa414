import { createCaptcha } from './captcha/captcha.ts';
import { createSpentProofs } from './captcha/spent-proofs.ts';
import type { Config } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations } from './donation/donations.ts';
import { createRetireToken } from './donation/retire-token.ts';
import { createAdminServer } from './http/admin-server.ts';
import { createDrain, type Drain } from './http/drain.ts';
import { createOverload, type Overload } from './http/overload.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/site/web-build.ts';
import { createLookup, type Lookup } from './lookup/lookup.ts';
import { createEvents, type Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import type { Records } from './open-records.ts';
import { connectPlatform } from './platform/connect-platform.ts';
import { INVALID_REQUEST_LIMIT, TOKEN_CHECK_LIMIT } from './platform/invalid-request-governor.ts';
import type { Platform } from './platform/platform.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createPoolStatus, type PoolStatus } from './pool/pool-status.ts';
import { createTokenPool, type TokenPool } from './pool/token-pool.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import { watchChanges } from './storage/change-watch.ts';
import type { Clock, System } from './system.ts';
import { createVanity, type Vanity } from './vanity/vanity.ts';
import { createVisitorCounters } from './visitors/visitor-counters.ts';
import { createVisitorLimits, visitorAllowances } from './visitors/visitor-limits.ts';
import manifest from '#package.json' with { type: 'json' };
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';

export type App = {
  readonly server: FastifyInstance;
  readonly admin: Server;
  readonly pool: TokenPool;
  /** Takes over what the records say, and from then on whatever another process writes to them. */
  readonly start: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** First `/readyz` says no, a while later new connections are refused, and what is under way is answered. */
  readonly close: () => Promise<void>;
};

/** What the app is built from: all that touches the world outside comes in here. */
export type AppDeps = {
  readonly config: Config;
  readonly startedPlatform: StartedPlatform;
  readonly system: System;
  readonly logger: Logger;
  readonly records: Records;
  readonly web: WebBuild;
};

/** The one place where the parts are put together. */
export const createApp = ({ config, startedPlatform, system, logger, records, web }: AppDeps): App => {
  const { clock } = system;
  const { vault, donatedTokens, retirements, withdrawn } = records;
  const events = createEvents({ logger, clock });

  const platform = connectPlatform({
    system,
    apiUrl: startedPlatform.urls.apiUrl,
    publicUrl: config.publicUrl,
    perSecond: config.egressPerSecond,
    journal: records.invalidRequests,
    onJournalFailed: events.journalFailed,
    onAnswer: events.platformAnswered,
  });
  const pool = createTokenPool({ clock, platform, onSuspected: events.tokenSuspected });
  for (const token of [...config.botTokens, ...startedPlatform.tokens]) pool.add(token);
  const status = createPoolStatus({
    ...events.recent,
    pool,
    retirements,
    tokenDonations: config.tokenDonations,
  });

  const checkToken = createCheckToken(clock, platform);
  const donations = createDonations({ system, vault, donatedTokens, withdrawn, pool, checkToken });
  const retireToken = createRetireToken({ clock, vault, donatedTokens, retirements });
  pool.onRetired((token) => {
    events.tokenRetired();
    donations.forget(token.botId);
    retireToken(token).then(status.refresh).catch(events.requestFailed);
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const lookup = createLookup({
    system,
    pool,
    cdn: createCdnUrls(startedPlatform.urls.cdnUrl),
    cacheSeconds: config.profileCacheSeconds,
    isOptedOut: optOuts.has,
    events,
  });
  const vanity = createVanity({ clock, platform, store: records.vanityLinks, events });

  const visitors = createVisitorLimits({
    counters: createVisitorCounters({ clock }),
    system,
    allowances: visitorAllowances(config.visitorRates),
  });
  const captcha = createCaptcha({ system, spentProofs: createSpentProofs({ system }), ...config.captcha });
  const overload = createOverload({ clock });
  const drain = createDrain(clock, config.stopDelaySeconds * 1_000);
  const server = createPublicServer({
    config,
    platformUrls: startedPlatform.urls,
    clock,
    captcha,
    visitors,
    lookUpProfile: lookup.lookUpProfile,
    events,
    donations,
    readStatus: status.read,
    vanityLinks: vanity.links,
    web,
    overload,
    isDraining: drain.isDraining,
  });
  const { isDatabaseInPlace } = records;
  const parts = { clock, events, platform, pool, status, lookup, vanity, drain, overload };
  const admin = createAdmin({ ...parts, isDatabaseInPlace });

  const refresh = async (): Promise<void> => {
    await vault.reloadKeys();
    await optOuts.refresh();
    await vanity.links.refresh();
    await status.refresh();
    if (config.tokenDonations) events.tokensRefreshed(await donations.refresh());
  };
  const watch = watchChanges({
    clock,
    database: records.database,
    isInPlace: records.isDatabaseInPlace,
    onReplaced: events.databaseReplaced,
    onChange: refresh,
    onFailure: events.refreshFailed,
  });

  return {
    server,
    admin,
    pool,
    start: watch.start,
    refresh,
    close: async () => {
      watch.stop();
      vanity.stop();
      await drain.close(server);
      await platform.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};

type AdminParts = {
  readonly clock: Clock;
  readonly events: Events;
  readonly platform: Platform;
  readonly pool: TokenPool;
  readonly status: PoolStatus;
  readonly lookup: Lookup;
  readonly vanity: Vanity;
  readonly drain: Drain;
  readonly overload: Overload;
  readonly isDatabaseInPlace: () => boolean;
};

/** What the operator's tools are told of the parts. */
const createAdmin = (parts: AdminParts): Server => {
  const { clock, events, platform, pool, status, lookup, vanity, drain, overload } = parts;
  const poolCounts = () => ({ ...pool.counts(), retired: status.retired() });
  const metrics = createMetrics({
    events,
    version: manifest.version,
    poolCounts,
    invalidRequests: platform.invalidRequests,
    invalidRequestLimits: { 'token-checks': TOKEN_CHECK_LIMIT, everything: INVALID_REQUEST_LIMIT },
    isEgressPaused: () => platform.isPaused(clock.monotonicMs()),
    cachedProfiles: lookup.cachedProfiles,
    vanityLinks: vanity.links.counts,
  });
  const readiness = () => ({
    ready: !drain.isDraining() && !overload.isShedding() && parts.isDatabaseInPlace(),
    details: {
      draining: drain.isDraining(),
      database_replaced: !parts.isDatabaseInPlace(),
      overloaded: overload.isShedding(),
      pool: poolCounts(),
      invalid_requests: platform.invalidRequests(),
    },
  });
  return createAdminServer({ metrics, readiness });
};
