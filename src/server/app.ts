import { createAdmin, createOperatorNotices, type NoticeParts } from './admin.ts';
import { isUnavailable } from './app-error.ts';
import { createCheckToken } from './donation/accept-token.ts';
import { createDonations } from './donation/donations.ts';
import { createPublicServer } from './http/public-server.ts';
import type { WebBuild } from './http/site/web-build.ts';
import { createLookup, createOptOuts } from './lookup/lookup.ts';
import { registerNode } from './storage/node-store.ts';
import { createEvents } from './observability/events.ts';
import { machineName } from './open-records.ts';
import { createPictures } from './pictures/pictures.ts';
import { connectPlatform } from './platform/platform.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createFigureStore } from './status/figures.ts';
import { createStatus } from './status/status.ts';
import { refreshEach, watchChanges } from './storage/change-watch.ts';
import { createOwnTokens, createTokenPool } from './tokens/token-pool.ts';
import { createVanity } from './vanity/vanity-links.ts';
import { createAdmission } from './visitors/admission.ts';
import { createVisitorLimits } from './visitors/limits.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';

export type App = ReturnType<typeof createApp>;

type AppDeps = Pick<NoticeParts, 'config' | 'system' | 'logger' | 'records' | 'runCommand' | 'sendNotice'> & {
  readonly startedPlatform: StartedPlatform;
  readonly web: WebBuild;
  readonly isAfterCrash?: boolean;
  readonly onLayoutChanged?: () => void;
};

/** Puts the parts together, from the records up to the pages. */
// oxlint-disable-next-line max-lines-per-function -- a list, to be read from top to bottom
export const createApp = (deps: AppDeps) => {
  const { config, startedPlatform, system, logger, records, web, onLayoutChanged = () => {} } = deps;
  const { clock, random } = system;
  const { publicUrl, tokenDonations } = config;
  const { urls, sampleIds } = startedPlatform;
  const { database, vault, withdrawn } = records;
  const name = machineName(config);
  const events = createEvents(logger);
  /** While PostgreSQL is out of reach much fails that is tried again. */
  const onFailure = (error: unknown): void => {
    if (!isUnavailable(error)) events.requestFailed(error);
  };

  const watch = watchChanges({
    ...records,
    clock,
    onReplaced: events.databaseReplaced,
    onRead: events.recordsRead,
    onFailure: events.refreshFailed,
  });
  const layoutChanged = (): void => {
    events.layoutChanged();
    onLayoutChanged();
  };
  const state = records.openState({
    system,
    perSecond: config.egressPerSecond,
    isCurrent: watch.isCurrent,
    events: { ...events, layoutChanged },
  });

  const platform = connectPlatform({
    clock,
    random,
    apiUrl: urls.apiUrl,
    publicUrl,
    store: state.platform,
    onAnswer: events.platformAnswered,
    onDefect: events.requestFailed,
  });
  const pool = createTokenPool({
    clock,
    platform,
    store: state.tokens,
    idOf: ({ secret }) => vault.poolDigest(secret.reveal()),
    onSuspected: (because, token) => events.tokenSuspected(because, donations.nameOf(token)),
    onRetired: (token) => {
      const id = donations.nameOf(token);
      events.tokenRetired(id);
      notices.tokenRetired(id);
      donations.retire(token).then(status.refresh).catch(onFailure);
    },
    onFailure,
  });
  const ownTokens = createOwnTokens(pool, [...startedPlatform.tokens, ...config.botTokens]);
  const donations = createDonations({
    ...records,
    system,
    pool,
    checkToken: createCheckToken(clock, platform),
    platformKind: config.platform.kind,
    onDefect: events.requestFailed,
    restoreOwn: ownTokens.restore,
  });
  const status = createStatus({
    ...records,
    clock,
    platform,
    pool,
    problem: state.problem,
    logger,
    tokenDonations,
    figures: createFigureStore(database),
    run: random.uuid(),
    lookups: events.lookups,
    onDefect: events.requestFailed,
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const isOptedOut = optOuts.has;
  const lookup = createLookup({ system, pool, cdn: createCdnUrls(urls.cdnUrl), isOptedOut, events });
  const vanity = createVanity({ clock, platform, store: records.vanityLinks, events });
  const visitors = createVisitorLimits(system, config.visitorRates);
  const admission = createAdmission({
    system,
    proofs: state.proofs,
    visitors,
    maxNumber: config.captcha.maxNumber,
    scarcity: pool.scarcity,
    events,
  });
  const pictures = createPictures({
    clock,
    publicUrl,
    cdnUrl: urls.cdnUrl,
    sampleIds,
    pictureSecret: vault.pictureSecret(),
    admission,
    visitors,
    isOptedOut,
  });
  const publicServer = createPublicServer({
    config,
    logger,
    platformUrls: urls,
    clock,
    admission,
    lookUpProfile: lookup.lookUpProfile,
    pictures,
    events,
    donations,
    readStatus: status.read,
    vanityLinks: vanity.links,
    web,
  });
  const parts = { state, platform, pool, ownTokens, status, lookup, vanity, publicServer, watch };
  const admin = createAdmin({
    config,
    records,
    clock,
    events,
    apiUrl: startedPlatform.urls.apiUrl,
    ...parts,
  });

  const node = registerNode(system, database, name, events.refreshFailed);
  const lostServers = node.lost;
  const notices = createOperatorNotices({ ...deps, name, state, status, pool, lostServers });

  const refresh = refreshEach([
    ...[optOuts, vanity.links, status, withdrawn].map((part) => part.refresh),
    async () => events.tokensHeld(await withdrawn.isHeld()),
    async () => {
      await vault.refuseOtherKey();
      if (tokenDonations) events.tokensRefreshed(await donations.refresh());
    },
  ]);

  return {
    server: publicServer.server,
    admin,
    pool,
    start: async (): Promise<void> => {
      // No visitor is let in before PostgreSQL can be used.
      await state.start();
      await node.join();
      await watch.start(refresh);
      await status.start();
      notices.start(deps.isAfterCrash);
    },
    refresh,
    close: async (): Promise<void> => {
      for (const part of [watch, vanity, notices]) void part.stop();
      await publicServer.close();
      pictures.close();
      await platform.close();
      await status.stop();
      await node.leave();
      await state.close();
      admin.close();
      admin.closeAllConnections();
    },
  };
};
