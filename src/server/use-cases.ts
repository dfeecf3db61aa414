import { createAdmission } from './admission/admission.ts';
import type { Config } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations } from './donation/donations.ts';
import { createLookup } from './lookup/lookup.ts';
import type { Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createStateEvents } from './observability/state-events.ts';
import type { Records } from './open-records.ts';
import { createPictures } from './pictures/pictures.ts';
import { createUnknownFields } from './platform/wire/unknown-fields.ts';
import { connectPlatform } from './platform/platform.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createOwnTokens } from './pool/own-tokens.ts';
import { createTokenPool, type TokenPoolDeps } from './pool/token-pool.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import { createStatus } from './status/status.ts';
import type { System } from './system.ts';
import { createVanity } from './vanity/vanity.ts';
import { createDailySecret } from './visitors/visitor-keys.ts';
import { createVisitorLimits } from './visitors/visitor-limits.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';

export type UseCasesDeps = {
  readonly config: Config;
  readonly startedPlatform: StartedPlatform;
  readonly system: System;
  readonly logger: Logger;
  readonly records: Records;
  readonly events: Events;
  /** What the operator calls this server. */
  readonly name: string;
  /** A server of another version has changed the tables: the process must end. */
  readonly onLayoutChanged?: (() => void) | undefined;
  readonly onFailure: (error: unknown) => void;
  readonly onTokenRetired: (id: string) => void;
};

const PROFILE_CACHE_SECONDS = 600;

/** What servers share, the platform, and the pool in front of it, with the operator's own tokens. */
const openPool = (deps: UseCasesDeps, onSuspected: TokenPoolDeps['onSuspected']) => {
  const { config, startedPlatform, system, records, events, logger, onLayoutChanged, onFailure } = deps;
  const { clock, random } = system;
  const stateEvents = createStateEvents(logger, events.registry);
  const state = records.openState({
    system,
    perSecond: config.egressPerSecond,
    ttlMs: config.captcha.ttlSeconds * 1_000,
    events: {
      ...events,
      ...stateEvents,
      layoutChanged: () => {
        stateEvents.layoutChanged();
        onLayoutChanged?.();
      },
    },
  });
  const unknownFields = createUnknownFields();
  const serve = (): void => pool.serve();
  const store = state.openTokens(serve);
  const platform = connectPlatform({
    clock,
    random,
    apiUrl: startedPlatform.urls.apiUrl,
    publicUrl: config.publicUrl,
    unknownFields,
    store,
    onAnswer: events.platformAnswered,
    onSettled: serve,
    onDefect: events.requestFailed,
  });
  const pool = createTokenPool({
    clock,
    platform,
    store,
    idOf: ({ secret }) => records.vault.poolDigest(secret.reveal()),
    onSuspected,
    onFailure,
  });
  const ownTokens = createOwnTokens(pool, startedPlatform.tokens, onFailure);
  ownTokens.replace(config.botTokens);
  return { state, platform, pool, ownTokens, unknownFields };
};

/** What visitors, donors and operators can do, on top of the pool. */
export const createUseCases = (deps: UseCasesDeps) => {
  const { config, startedPlatform, system, logger, records, events, name, onFailure } = deps;
  const opened = openPool(deps, (reason, token) => events.tokenSuspected(reason, donations.nameOf(token)));
  const { state, platform, pool, ownTokens } = opened;
  const { clock, random } = system;
  const { vault, retirements, withdrawn, donatedTokens } = records;
  const { urls } = startedPlatform;
  const status = createStatus({
    clock,
    platform,
    pool,
    problem: state.problem,
    logger,
    retirements,
    tokenDonations: config.tokenDonations,
    figures: records.figures,
    server: name,
    lookups: events.lookups,
    siteNowMs: state.siteNowMs,
    onDefect: events.requestFailed,
  });

  const donations = createDonations({
    system,
    vault,
    donatedTokens,
    withdrawn,
    pool,
    retirements,
    checkToken: createCheckToken(clock, platform),
    platformKind: config.platform.kind,
    onDefect: events.requestFailed,
    restoreOwn: ownTokens.restore,
    onRetired: (id, done) => {
      deps.onTokenRetired(id);
      done.then(status.refresh).catch(onFailure);
    },
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const lookup = createLookup({
    system,
    pool,
    cdn: createCdnUrls(urls.cdnUrl),
    cacheSeconds: PROFILE_CACHE_SECONDS,
    isOptedOut: optOuts.has,
    events,
  });
  const vanity = createVanity({ clock, platform, store: records.vanityLinks, events });
  const visitors = createVisitorLimits({
    dailySecret: state.siteNowMs
      ? createDailySecret(state.siteNowMs, vault.visitorSecret)
      : createDailySecret(clock.monotonicMs, () => random.bytes(32).toString('hex')),
    rates: config.visitorRates,
  });
  const admissions = state.openAdmissions();
  const { scarcity } = pool;
  const admission = createAdmission({ ...config.captcha, system, admissions, visitors, scarcity, events });
  const pictures = createPictures({
    clock,
    publicUrl: config.publicUrl,
    urls,
    sampleIds: startedPlatform.sampleIds,
    pictureSecret: vault.pictureSecret,
    admission,
    admissions,
    isOptedOut: optOuts.has,
  });
  return { ...opened, status, donations, optOuts, lookup, vanity, visitors, admission, pictures };
};
