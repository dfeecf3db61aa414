import { isUnavailable } from './app-error.ts';
import type { Config } from './config.ts';
import { createCheckToken } from './donation/accept-token.ts';
import { createDonations } from './donation/donations.ts';
import { createLookup } from './lookup/lookup.ts';
import type { Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import type { Records } from './open-records.ts';
import { createPictures } from './pictures/pictures.ts';
import { connectPlatform } from './platform/platform.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createOwnTokens } from './tokens/own-tokens.ts';
import { createTokenPool, type TokenPoolDeps } from './tokens/token-pool.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import { createStatus } from './status/status.ts';
import type { System } from './system.ts';
import { createVanity } from './vanity/invites.ts';
import { createAdmission } from './visitors/admission.ts';
import { createVisitorLimits } from './visitors/limits.ts';
import { createPostgresSpentProofs } from './visitors/postgres-spent-proofs.ts';
import { createSpentProofs } from './visitors/spent-proofs.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';

export type UseCasesDeps = {
  readonly config: Config;
  readonly startedPlatform: StartedPlatform;
  readonly system: System;
  readonly logger: Logger;
  readonly records: Records;
  readonly events: Events;
  readonly onTokenRetired: (id: string) => void;
  readonly onLayoutChanged?: (() => void) | undefined;
  /** What others have removed lately is known. */
  readonly isCurrent: () => boolean;
};

export type UseCases = ReturnType<typeof createUseCases>;

const openPool = (
  { config, startedPlatform, system, records, events, onLayoutChanged, isCurrent }: UseCasesDeps,
  { onSuspected, onRetired, onFailure }: Pick<TokenPoolDeps, 'onSuspected' | 'onRetired' | 'onFailure'>,
) => {
  const { clock, random } = system;
  const state = records.openState({
    system,
    perSecond: config.egressPerSecond,
    isCurrent,
    events: {
      ...events,
      layoutChanged: () => {
        events.layoutChanged();
        onLayoutChanged?.();
      },
    },
  });
  const platform = connectPlatform({
    clock,
    random,
    apiUrl: startedPlatform.urls.apiUrl,
    publicUrl: config.publicUrl,
    store: state.platform,
    onAnswer: events.platformAnswered,
    onDefect: events.requestFailed,
  });
  const pool = createTokenPool({
    clock,
    platform,
    store: state.tokens,
    idOf: ({ secret }) => records.vault.poolDigest(secret.reveal()),
    onSuspected,
    onRetired,
    onFailure,
  });
  const ownTokens = createOwnTokens(pool, [...startedPlatform.tokens, ...config.botTokens]);
  return { state, platform, pool, ownTokens };
};

export const createUseCases = (deps: UseCasesDeps) => {
  const { config, startedPlatform, system, logger, records, events, onTokenRetired } = deps;
  /** While PostgreSQL is out of reach much fails that is tried again. */
  const onFailure = (error: unknown): void => {
    if (!isUnavailable(error)) events.requestFailed(error);
  };
  const { state, platform, pool, ownTokens } = openPool(deps, {
    onSuspected: (reason, token) => events.tokenSuspected(reason, donations.nameOf(token)),
    onRetired: (token) => {
      onTokenRetired(donations.nameOf(token));
      donations.retire(token).then(status.refresh).catch(onFailure);
    },
    onFailure,
  });
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
    run: random.uuid(),
    lookups: events.lookups,
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
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const lookup = createLookup({
    system,
    pool,
    cdn: createCdnUrls(urls.cdnUrl),
    isOptedOut: optOuts.has,
    events,
  });
  const vanity = createVanity({ clock, platform, store: records.vanityLinks, events });
  const visitors = createVisitorLimits(system, config.visitorRates);
  const admission = createAdmission({
    system,
    proofs: state.shared ? createPostgresSpentProofs({ system, ...state.shared }) : createSpentProofs(system),
    visitors,
    maxNumber: config.captcha.maxNumber,
    scarcity: pool.scarcity,
    events,
  });
  const pictures = createPictures({
    clock,
    publicUrl: config.publicUrl,
    urls,
    sampleIds: startedPlatform.sampleIds,
    pictureSecret: vault.pictureSecret,
    admission,
    isOptedOut: optOuts.has,
  });
  return {
    state,
    platform,
    pool,
    ownTokens,
    status,
    donations,
    optOuts,
    lookup,
    vanity,
    admission,
    pictures,
  };
};
