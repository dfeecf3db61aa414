import { createAdmission } from './admission/admission.ts';
import type { Config } from './config.ts';
import { createCheckToken } from './donation/check-token.ts';
import { createDonations } from './donation/donations.ts';
import { createLookup } from './lookup/lookup.ts';
import type { Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import type { OpenedPool } from './open-pool.ts';
import type { Records } from './open-records.ts';
import { createPictures } from './pictures/pictures.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createOptOuts } from './privacy/opt-outs.ts';
import { createStatus } from './status/status.ts';
import type { System } from './system.ts';
import { createVanity } from './vanity/vanity.ts';
import { createDailySecret } from './visitors/visitor-keys.ts';
import { createVisitorLimits } from './visitors/visitor-limits.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';

export type UseCasesDeps = OpenedPool & {
  readonly config: Config;
  readonly startedPlatform: StartedPlatform;
  readonly system: System;
  readonly logger: Logger;
  readonly records: Records;
  readonly events: Events;
  /** What the operator calls this server. */
  readonly name: string;
  readonly onFailure: (error: unknown) => void;
};

/** What visitors, donors and operators can do, on top of the pool. */
export const createUseCases = (deps: UseCasesDeps) => {
  const { config, startedPlatform, system, logger, records, events, name, onFailure } = deps;
  const { state, platform, pool, ownTokens } = deps;
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
    onDefect: events.requestFailed,
    restoreOwn: ownTokens.restore,
    onRetired: (id, done) => {
      events.tokenRetired(id);
      done.then(status.refresh).catch(onFailure);
    },
  });

  const optOuts = createOptOuts(records.optOuts, vault.optOutDigest);
  const lookup = createLookup({
    system,
    pool,
    cdn: createCdnUrls(urls.cdnUrl),
    cacheSeconds: config.profileCacheSeconds,
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
  return { status, donations, optOuts, lookup, vanity, visitors, admission, pictures };
};
