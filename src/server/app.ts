import { createCaptcha } from './captcha/captcha.ts';
import type { Config, PlatformUrls } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations, type Donations } from './donation/donations.ts';
import { createDiscordClient } from './discord/discord-client.ts';
import { createAdminServer } from './http/admin-server.ts';
import { createDrain } from './http/drain.ts';
import { createOverload } from './http/overload.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/web-build.ts';
import { createFetchUser } from './lookup/fetch-user.ts';
import { createLookUpProfile } from './lookup/look-up-profile.ts';
import { createProfileCache } from './lookup/profile-cache.ts';
import { createEvents } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import type { InvalidRequestJournal } from './storage/invalid-request-file.ts';
import type { Treasury } from './open-treasury.ts';
import { createMemoryState } from './storage/memory-state.ts';
import type { System } from './system.ts';
import { createEgressGate } from './tokens/egress-gate.ts';
import { createInvalidRequestGovernor } from './tokens/invalid-request-governor.ts';
import { createPoolStatus } from './tokens/pool-status.ts';
import { createTokenPool, type TokenPool } from './tokens/token-pool.ts';
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
  /** Where donated tokens are kept; null where none are taken. */
  readonly treasury: Treasury | null;
  readonly web: WebBuild;
};

/** Failed checks of offered tokens in ten minutes; far below what would stop the lookups. */
const MAX_FAILED_CHECKS = 100;
const FORGETFUL: InvalidRequestJournal = { load: () => [], save: () => {} };

/** The one place where the parts are put together. */
export const createApp = ({ config, platformUrls, system, logger, journal, treasury, web }: AppDeps): App => {
  const { clock, random } = system;
  const { retiredBefore } = treasury ?? { retiredBefore: { count: 0, last: null } };
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
    retiredBefore,
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
  const donations = treasury && createDonations({ ...treasury, system, pool, checkToken });
  const cache = createProfileCache({ clock, ttlMs: config.profileCacheSeconds * 1_000 });
  const fetchUser = createFetchUser({ system, pool, client, onAnswer: events.upstreamAnswered });
  const lookUpProfile = createLookUpProfile({
    clock,
    cdn: createCdnUrls(platformUrls.cdnUrl),
    cache,
    fetchUser,
    isOptedOut: async () => false,
    onLookup: events.lookedUp,
  });

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
    lookUpProfile,
    events,
    donations,
    readStatus: status.read,
    web,
    overload,
    isDraining: drain.isDraining,
  });

  const metrics = createMetrics({
    events,
    poolCounts: pool.counts,
    invalidRequests: governor.count,
    cachedProfiles: cache.size,
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
  const admin = createAdminServer({ metrics, readiness });

  return {
    server,
    admin,
    pool,
    donations,
    close: async () => {
      await drain.close(server);
      await client.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};

/** The platform turns away requests that do not name themselves like this. */
const userAgent = (publicUrl: string): string => `DiscordBot (${publicUrl}, 0.1.0) Whoflake`;
