import { createAdmin } from './admin.ts';
import { createAdmission } from './admission/admission.ts';
import { createCaptcha } from './captcha/captcha.ts';
import type { Config } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations } from './donation/donations.ts';
import { createRetireToken } from './donation/retire-token.ts';
import { createDrain } from './http/drain.ts';
import { createOverload } from './http/overload.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/site/web-build.ts';
import { createLookup } from './lookup/lookup.ts';
import { createEvents } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createListsAwaited } from './observability/withdrawn-events.ts';
import type { Records } from './open-records.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { openPool } from './pool/open-pool.ts';
import { createOwnTokens } from './pool/own-tokens.ts';
import { createPoolStatus } from './pool/pool-status.ts';
import type { TokenPool } from './pool/token-pool.ts';
import type { NodeRegister } from './nodes/node-register.ts';
import { registerNode } from './nodes/register-node.ts';
import { createPictures } from './pictures/pictures.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import { createApplySettings, type ApplySettings } from './reload.ts';
import { createSharedState } from './shared-state.ts';
import { watchChanges } from './storage/change-watch.ts';
import { createInBackground } from './storage/redis/in-background.ts';
import type { SharedStore } from './storage/redis/shared-store.ts';
import type { System } from './system.ts';
import { createVanity } from './vanity/vanity.ts';
import { createVisitorLimits, visitorAllowances } from './visitors/visitor-limits.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';

export type App = {
  readonly server: FastifyInstance;
  readonly admin: Server;
  readonly pool: TokenPool;
  /** Loads the records, and from then on whatever another process writes to them. */
  readonly start: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** Applies what can change at run time: log level, the operator's own tokens, visitors' allowances. */
  readonly reload: ApplySettings;
  /** First `/readyz` says no; later new connections are refused, and requests in flight are answered. */
  readonly close: () => Promise<void>;
};

/** What the app is built from: everything that touches the outside world is passed in here. */
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
  const { vault, retirements, withdrawn } = records;
  const events = createEvents({ logger, clock });
  const listsAwaited = createListsAwaited(logger, events.registry);
  const shared = createSharedState({ ...vault, ...startedPlatform.urls, config, system, logger, events });

  const inBackground = createInBackground(events.requestFailed);
  const { platform, pool } = openPool({
    system,
    apiUrl: startedPlatform.urls.apiUrl,
    publicUrl: config.publicUrl,
    perSecond: config.egressPerSecond,
    journal: records.egressJournal,
    onJournalFailed: events.journalFailed,
    onAnswer: events.platformAnswered,
    store: shared.store,
    idOf: ({ secret }) => vault.poolDigest(secret.reveal()),
    confirm: () => refresh(),
    inBackground,
    onSuspected: (reason, token) => events.tokenSuspected(reason, donations.nameOf(token)),
  });
  const ownTokens = createOwnTokens(pool, startedPlatform.tokens, inBackground);
  ownTokens.replace(config.botTokens);
  const status = createPoolStatus({ ...config, ...shared, clock, platform, pool, retirements, logger });

  const checkToken = createCheckToken(clock, platform);
  const donations = createDonations({ ...records, system, pool, checkToken, restoreOwn: ownTokens.restore });
  const retireToken = createRetireToken({ ...records, clock });
  pool.onRetired((token) => {
    events.tokenRetired(donations.nameOf(token));
    inBackground(() => retireToken(token, donations.forget(token.botId)).then(status.refresh));
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const lookup = createLookup({
    system,
    pool,
    cdn: createCdnUrls(startedPlatform.urls.cdnUrl),
    cacheSeconds: config.profileCacheSeconds,
    isOptedOut: optOuts.has,
    sharedProfiles: shared.profiles,
    events,
  });
  const vanity = createVanity({ clock, platform, store: records.vanityLinks, events });

  const visitors = createVisitorLimits({ ...shared, allowances: visitorAllowances(config.visitorRates) });
  const pictures = createPictures({ ...startedPlatform, ...config, ...shared, ...vault, clock, visitors });
  const captcha = createCaptcha({ system, ...shared.spentProofs, ...config.captcha });
  const admission = createAdmission({ ...shared, captcha, visitors, scarcity: pool.scarcity, events });
  const overload = createOverload({ clock });
  const drain = createDrain(clock, config.stopDelaySeconds * 1_000);
  const server = createPublicServer({
    config,
    platformUrls: startedPlatform.urls,
    clock,
    admission,
    lookUpProfile: lookup.lookUpProfile,
    pictures,
    events,
    donations,
    readStatus: status.read,
    vanityLinks: vanity.links,
    web,
    overload,
    isDraining: drain.isDraining,
  });
  const node = registerNode({ config, records, system, events, store: shared.store });
  const parts = { clock, events, platform, pool, ownTokens, status, lookup, vanity, drain, overload };
  const admin = createAdmin({ ...config, ...records, ...parts, ...node, sharedStore: shared.store });

  const refresh = async (): Promise<void> => {
    await vault.reloadKeys();
    for (const part of [optOuts, vanity.links, status, withdrawn]) await part.refresh();
    listsAwaited(await withdrawn.awaited());
    if (config.tokenDonations) events.tokensRefreshed(await donations.refresh());
  };
  const watch = watchChanges({
    ...records,
    clock,
    onReplaced: events.databaseReplaced,
    onChange: refresh,
    onRead: events.recordsRead,
    onFailure: events.refreshFailed,
  });

  return {
    server,
    admin,
    pool,
    start: () => startParts(node, shared.store, watch).then(status.start),
    refresh,
    reload: createApplySettings({ logger, visitors, ownTokens, donations, refresh, events }),
    close: async () => {
      for (const part of [watch, status, vanity]) part.stop();
      await drain.close(server);
      await Promise.all([pictures.close(), platform.close()]);
      shared.store?.close();
      await node.leave();
      admin.close();
      admin.closeAllConnections();
    },
  };
};

/** No visitor is let in before the other nodes can be reached. */
const startParts = async (
  node: NodeRegister,
  store: SharedStore | null,
  watch: Pick<App, 'start'>,
): Promise<void> => {
  await node.join();
  await store?.start();
  await node.agreeOnStore();
  await watch.start();
};
