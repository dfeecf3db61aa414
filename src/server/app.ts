import { createCaptcha } from './captcha/captcha.ts';
import type { Config, PlatformUrls } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations, type Donations } from './donation/donations.ts';
import { createDiscordClient } from './discord/discord-client.ts';
import { userAgent } from './discord/user-agent.ts';
import { createAdminServer } from './http/admin-server.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/web-build.ts';
import { createLookup } from './lookup/lookup.ts';
import { createEvents, type Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import type { InvalidRequestJournal } from './storage/invalid-request-file.ts';
import type { Records } from './open-records.ts';
import { createMemoryState } from './storage/memory-state.ts';
import type { System } from './system.ts';
import { createEgressGate } from './tokens/egress-gate.ts';
import { createInvalidRequestGovernor } from './tokens/invalid-request-governor.ts';
import { createPoolStatus } from './tokens/pool-status.ts';
import { createTokenPool, type TokenPool } from './tokens/token-pool.ts';
import { createVanity } from './vanity/vanity.ts';
import { visitorAllowances } from './visitors/visitor-allowances.ts';
import { createVisitorLimits } from './visitors/visitor-limits.ts';
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
  /** First `/readyz` says no, then new connections are refused, then what is under way is answered. */
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

/** Failed checks of offered tokens in ten minutes; far below what would stop the lookups. */
const MAX_FAILED_CHECKS = 100;
const FORGETFUL: InvalidRequestJournal = { load: () => [], save: () => {} };

/** The one place where the parts are put together. */
export const createApp = ({ config, platformUrls, system, logger, journal, records, web }: AppDeps): App => {
  const { clock, random } = system;
  const events = createEvents(logger, clock);
  const state = createMemoryState({ system });

  const governor = createInvalidRequestGovernor({ clock, journal });
  const onRetired = (reason: string, botId: string): void => {
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
  });
  const failedChecks = createInvalidRequestGovernor({
    clock,
    journal: FORGETFUL,
    hardLimit: MAX_FAILED_CHECKS,
  });
  const checkToken = createCheckToken({ clock, client, gate, governor, failedChecks });
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
  });

  let draining = false;
  const metrics = createMetrics({
    events,
    poolCounts: pool.counts,
    invalidRequests: governor.count,
    cachedProfiles: lookup.cachedProfiles,
  });
  const readiness = () => ({
    ready: !draining,
    details: { pool: pool.counts(), invalid_requests: governor.count() },
  });
  const admin = createAdminServer({ metrics, readiness });

  return {
    server,
    admin,
    pool,
    donations,
    events,
    refresh,
    close: async () => {
      draining = true;
      vanity.stop();
      await server.close();
      await client.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};
