import { createCaptcha } from './captcha/captcha.ts';
import type { Config, PlatformUrls } from './config.ts';
import { createCheckToken, GOVERNOR_SOFT_LIMIT } from './donation/check-token.ts';
import { createDonations, type Donations } from './donation/donations.ts';
import { createDiscordClient } from './platform/discord-client.ts';
import { userAgent } from './platform/user-agent.ts';
import { createAdminServer } from './http/admin-server.ts';
import { createDrain, type Drain } from './http/drain.ts';
import { ERROR_CODES } from './http/error-handler.ts';
import { createOverload, type Overload } from './http/overload.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/site/web-build.ts';
import { createLookup, type Lookup } from './lookup/lookup.ts';
import { createEvents, type Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import type { InvalidRequestJournal } from './platform/invalid-request-file.ts';
import type { Records } from './open-records.ts';
import { createMemoryState } from './storage/memory-state.ts';
import type { Clock, System } from './system.ts';
import { createEgressGate, type EgressGate } from './platform/egress-gate.ts';
import {
  createInvalidRequestGovernor,
  type InvalidRequestGovernor,
} from './platform/invalid-request-governor.ts';
import { createPoolStatus } from './pool/pool-status.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from './pool/token-pool.ts';
import { createVanity, type Vanity } from './vanity/vanity.ts';
import { visitorAllowances } from './visitors/visitor-allowances.ts';
import { createVisitorLimits } from './visitors/visitor-limits.ts';
import manifest from '#package.json' with { type: 'json' };
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';

export type App = {
  readonly server: FastifyInstance;
  readonly admin: Server;
  readonly pool: TokenPool;
  readonly donations: Donations | null;
  readonly events: Events;
  /** Takes over what the records say: before the first request, and whenever another process has written to them. */
  readonly refresh: () => Promise<void>;
  /** First `/readyz` says no, a while later new connections are refused, and what is under way is answered. */
  readonly close: () => Promise<void>;
};

/** What the app is built from: all that touches the world outside comes in here. */
export type AppDeps = {
  readonly config: Config;
  readonly platformUrls: PlatformUrls;
  readonly system: System;
  readonly logger: Logger;
  readonly journal: InvalidRequestJournal;
  readonly records: Records;
  readonly web: WebBuild;
};

/** The one place where the parts are put together. */
export const createApp = ({ config, platformUrls, system, logger, journal, records, web }: AppDeps): App => {
  const { clock, random } = system;
  const events = createEvents({ logger, clock, errorCodes: ERROR_CODES });
  const state = createMemoryState({ system });

  const governor = createInvalidRequestGovernor({ clock, journal });
  const onRetired: TokenPoolDeps['onRetired'] = (reason, botId): void => {
    events.tokenRetired(reason);
    status.retired(new Date(clock.wallMs()).toISOString());
    donations?.retire(botId).catch(events.requestFailed);
  };
  const gate = createEgressGate({ random, governor, perSecond: config.egressPerSecond });
  const pool = createTokenPool({ clock, gate, onRetired });
  for (const token of config.botTokens) pool.add(token);
  const status = createPoolStatus({
    ...events.recent,
    pool,
    retiredBefore: records.retiredBefore,
    tokenDonations: config.tokenDonations,
  });

  const client = createDiscordClient({
    clock,
    apiUrl: platformUrls.apiUrl,
    userAgent: userAgent(config.publicUrl),
    onAnswer: events.upstreamAnswered,
  });
  const checkToken = createCheckToken({ clock, client, gate, governor });
  const donations = config.tokenDonations ? createDonations({ ...records, system, pool, checkToken }) : null;
  const optOuts = createOptOuts({ store: records.optOuts, digest: records.vault.optOutDigest });
  const lookup = createLookup({
    system,
    pool,
    client,
    cdn: createCdnUrls(platformUrls.cdnUrl),
    cacheSeconds: config.profileCacheSeconds,
    isOptedOut: optOuts.has,
    events,
  });
  const vanity = createVanity({ clock, store: records.vanityLinks, client, gate, events });
  const refresh = async (): Promise<void> => {
    await records.vault.readKeysAnew();
    await optOuts.refresh();
    await vanity.links.refresh();
    const tokens = await donations?.refresh();
    if (tokens !== undefined) events.tokensRefreshed(tokens);
  };

  const visitors = createVisitorLimits({
    limits: state.limits,
    system,
    allowances: visitorAllowances(config.visitorRates),
  });
  const captcha = createCaptcha({ system, ledger: state.ledger, ...config.captcha });
  const overload = createOverload({ clock });
  const drain = createDrain({ clock, delayMs: config.stopDelaySeconds * 1_000 });
  const server = createPublicServer({
    config,
    platformUrls,
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

  const admin = createAdmin({ clock, events, governor, gate, pool, lookup, vanity, drain, overload });

  return {
    server,
    admin,
    pool,
    donations,
    events,
    refresh,
    close: async () => {
      vanity.stop();
      await drain.close(server);
      await client.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};

type AdminParts = {
  readonly clock: Clock;
  readonly events: Events;
  readonly governor: InvalidRequestGovernor;
  readonly gate: EgressGate;
  readonly pool: TokenPool;
  readonly lookup: Lookup;
  readonly vanity: Vanity;
  readonly drain: Drain;
  readonly overload: Overload;
};

/** What the operator's tools are told of the parts. */
const createAdmin = (parts: AdminParts): Server => {
  const { clock, events, governor, gate, pool, lookup, vanity, drain, overload } = parts;
  const metrics = createMetrics({
    events,
    version: manifest.version,
    poolCounts: pool.counts,
    invalidRequests: governor.count,
    invalidRequestLimits: { 'token-checks': GOVERNOR_SOFT_LIMIT, everything: governor.hardLimit },
    isEgressPaused: () => gate.isPaused(clock.monotonicMs()),
    cachedProfiles: lookup.cachedProfiles,
    vanityLinks: vanity.links.counts,
  });
  const readiness = () => ({
    ready: !drain.isDraining() && !overload.isShedding(),
    details: {
      draining: drain.isDraining(),
      overloaded: overload.isShedding(),
      pool: pool.counts(),
      invalid_requests: governor.count(),
    },
  });
  return createAdminServer({ metrics, readiness });
};
