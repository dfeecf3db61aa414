import type { Admission } from '#server/visitors/admission.ts';
import type { Config, PlatformUrls } from '#server/config.ts';
import { stopDelayMs } from '#server/deadlines.ts';
import type { Donations } from '#server/donation/donations.ts';
import type { Lookup } from '#server/lookup/lookup.ts';
import type { Events } from '#server/observability/events.ts';
import type { Logger } from '#server/observability/logger.ts';
import type { Pictures } from '#server/pictures/pictures.ts';
import type { Clock } from '#server/system.ts';
import type { VanityLinks } from '#server/vanity/vanity-links.ts';
import { createClientIp, createTrust, createUntrustedProxy } from '#server/visitors/ip-address.ts';
import type { Status } from '#shared/contract/status.ts';
import { errorSentences } from './error-answer.ts';
import { createHttpServer } from './http-server.ts';
import { registerOpenApiRoute } from './openapi.ts';
import { registerDonationRoute, registerWithdrawalRoute } from './routes/donation-routes.ts';
import { registerChallengeRoute, registerLookupRoute, registerPictureRoute } from './routes/lookup-routes.ts';
import { registerStaticRoutes } from './routes/static-routes.ts';
import { registerStatusRoutes } from './routes/status-routes.ts';
import { securityHeaders } from './security-headers.ts';
import type { WebBuild } from './site/web-build.ts';

export type PublicServer = ReturnType<typeof createPublicServer>;

type PublicServerDeps = {
  readonly config: Config;
  readonly logger: Logger;
  readonly platformUrls: PlatformUrls;
  readonly clock: Clock;
  readonly admission: Admission;
  readonly lookUpProfile: Lookup['lookUpProfile'];
  readonly pictures: Pictures;
  readonly events: Events;
  readonly donations: Donations;
  readonly readStatus: () => Status;
  readonly vanityLinks: VanityLinks;
  readonly web: WebBuild;
};

export const createPublicServer = (deps: PublicServerDeps) => {
  const { config, web } = deps;
  const { publicUrl, trustedProxies } = config;
  const cdnUrl = config.pictures === 'relayed' ? null : deps.platformUrls.cdnUrl;
  const untrustedProxy = createUntrustedProxy(deps.clock, publicUrl, deps.logger);
  const isTrusted = createTrust(trustedProxies);
  const addressOf = createClientIp(isTrusted, untrustedProxy.seen);
  const { server, sendStaticFile, isDraining, isShedding, close } = createHttpServer({
    ...deps,
    headers: securityHeaders({ cdnUrl, publicUrl, inlineCode: web.inlineCode }),
    publicUrl,
    sentences: errorSentences(config),
    trustProxy: trustedProxies.length > 0 && isTrusted,
    stopDelayMs: stopDelayMs(config),
  });
  registerOpenApiRoute(server, config, sendStaticFile);
  registerStaticRoutes(server, { ...deps, sendStaticFile, site: config });
  registerChallengeRoute(server, { ...deps, addressOf });
  registerLookupRoute(server, { ...deps, addressOf });
  registerPictureRoute(server, deps.pictures, addressOf);
  if (config.tokenDonations) registerDonationRoute(server, { ...deps, addressOf });
  registerWithdrawalRoute(server, { ...deps, addressOf });
  registerStatusRoutes(server, deps.readStatus);
  return { server, isDraining, isShedding, close, untrustedProxy: untrustedProxy.recent };
};
